import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A Node to try the packages on. */
export interface NodeBinary {
  readonly major: number;
  /** Its executable; undefined where there is none for this machine. */
  readonly path: string | undefined;
}

const here = fileURLToPath(new URL('../', import.meta.url));

function installed(major: number): string | undefined {
  const path = join(here, 'node_modules', `node${major}-${process.platform}-${process.arch}`, 'bin', 'node');
  return existsSync(path) ? realpathSync(path) : undefined;
}

/** The Nodes that packages support: the one the workspace runs on, and those that optional dependencies bring for this machine. */
export const NODES: readonly NodeBinary[] = [
  { major: 22, path: installed(22) },
  { major: 24, path: process.versions.node.startsWith('24.') ? process.execPath : undefined },
  { major: 26, path: installed(26) },
];

/** The environment of a program that is tried: its own `node` comes first, and nothing of ours shows through. */
export function plainEnvironment(node: string, home: string): NodeJS.ProcessEnv {
  const names = ['SystemRoot', 'TEMP', 'TMP', 'TMPDIR', 'LANG'];
  const kept = Object.fromEntries(names.filter((name) => process.env[name] !== undefined).map((name) => [name, process.env[name]]));
  return { ...kept, HOME: home, USERPROFILE: home, PATH: [dirname(node), '/usr/local/bin', '/usr/bin', '/bin'].join(process.platform === 'win32' ? ';' : ':') };
}
