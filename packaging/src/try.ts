import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { command } from './command.js';
import { projectFolder } from './lab.js';
import { plainEnvironment } from './nodes.js';
import type { Published } from './workspace.js';

/** What a program that tries a package tells of it. */
export interface Tried {
  /** What each entry exports, by name: a constant as JSON, anything else by its kind. */
  readonly entries: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** What the README's programs logged. */
  readonly logged: readonly (readonly unknown[])[];
  /** What the driver gave, and what it said beforehand that it would. */
  readonly result?: unknown;
  readonly expected?: unknown;
}

/** Runs a package where it is installed alone, on a given Node, in a fresh folder. */
export async function tryOn(node: string, lab: string, each: Published, program: 'run.js' | 'run.browser.js' = 'run.js', context: unknown = {}): Promise<Tried> {
  mkdirSync(join(lab, 'runs'), { recursive: true });
  const cwd = mkdtempSync(join(lab, 'runs', `${each.short}-`));
  try {
    const args = [join(projectFolder(lab, each), program), JSON.stringify(context)];
    const { code, stdout, stderr } = await command(node, args, { cwd, env: plainEnvironment(node, cwd), timeoutMs: 60_000 });
    if (code !== 0) throw new Error(`${program} of ${each.name} on ${node} ended with ${code ?? 'a signal'}:\n${stderr}${stdout}`);
    return JSON.parse(stdout) as Tried;
  } finally {
    rmSync(cwd, { recursive: true, force: true, maxRetries: 5 });
  }
}
