import { realpathSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What finding out how this program is called depends on. */
export interface ProgramSurroundings {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Node. */
  readonly execPath: string;
  /** The script as it was named when it was started. */
  readonly script: string | undefined;
}

/** The file of the `aep` command. */
const SCRIPT = fileURLToPath(new URL('../../bin/aep.js', import.meta.url));

/**
 * The words that start this very program from anywhere and stay right as long as may be: Node by the name it has on the path, which an
 * upgrade keeps, and the script by the link that a package manager made. undefined where it stands in a cache that is emptied some day.
 */
export function ownProgram(surroundings: ProgramSurroundings): readonly string[] | undefined {
  return ownProgramOf(SCRIPT, surroundings);
}

/** The same for a program whose script stands elsewhere. */
export function ownProgramOf(own: string, { platform, env, execPath, script }: ProgramSurroundings): readonly string[] | undefined {
  const aep = script !== undefined && isAbsolute(script) && same(script, own) ? script : own;
  if (/[\\/](_npx|dlx|dlx-[^\\/]*|bunx-[^\\/]*)[\\/]/.test(real(aep) ?? aep)) return undefined;
  return [node(platform, env, execPath), aep];
}

function node(platform: NodeJS.Platform, env: ProgramSurroundings['env'], execPath: string): string {
  const name = platform === 'win32' ? 'node.exe' : 'node';
  const found = (env.PATH ?? env.Path ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !/[\\/]node_modules[\\/]/.test(folder))
    .map((folder) => join(folder, name))
    .find((file) => same(file, execPath));
  // A line that begins with a quoted word is no command in PowerShell, and one that cmd takes apart.
  if (platform === 'win32' && /\s/.test(found ?? execPath)) return 'node';
  return found ?? execPath;
}

function same(one: string, other: string): boolean {
  const path = real(one);
  return path !== undefined && path === real(other);
}

function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
