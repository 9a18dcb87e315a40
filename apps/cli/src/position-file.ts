import { createHash, randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

import type { PositionStore, SavedPosition } from '@aepkit/binding-sse/client';
import { makeFolder } from '@aepkit/collector/make-folder';

import { CliError, EXIT } from './exit-code.js';

/** Where positions are kept for one collector and one filter, unless a file is named. */
export function defaultPositionFile(url: string, filter: string | undefined, env: Readonly<Record<string, string | undefined>> = process.env): string {
  const name = createHash('sha256').update(JSON.stringify([url, filter ?? null])).digest('hex').slice(0, 16);
  return join(stateFolder(env), `tail-${name}.json`);
}

/** Where positions are kept. */
export function stateFolder(env: Readonly<Record<string, string | undefined>> = process.env): string {
  return env.AEP_STATE ?? join(env.XDG_STATE_HOME ?? join(homedir(), '.local', 'state'), 'aepkit');
}

/** Positions in a file, replaced as a whole, so that a crash leaves the old ones or the new ones. */
export class PositionFile implements PositionStore {
  readonly path: string;
  readonly #positions = new Map<string, SavedPosition>();

  constructor(path: string) {
    this.path = path;
  }

  async load(): Promise<readonly SavedPosition[]> {
    let text: string;
    try {
      text = await readFile(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw new CliError(`cannot read the positions in ${this.path}: ${(error as Error).message}`, EXIT.usage);
    }
    for (const position of parse(text, this.path)) this.#positions.set(keyOf(position), position);
    return [...this.#positions.values()];
  }

  async save(changed: readonly SavedPosition[]): Promise<void> {
    for (const position of changed) this.#positions.set(keyOf(position), position);
    const draft = `${this.path}.${randomBytes(4).toString('hex')}`;
    await makeFolder(dirname(this.path));
    try {
      await writeFile(draft, JSON.stringify({ version: 1, positions: [...this.#positions.values()] }), { mode: 0o600 });
      await rename(draft, this.path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }
}

function parse(text: string, path: string): SavedPosition[] {
  try {
    const value = JSON.parse(text) as { version?: unknown; positions?: unknown };
    if (value.version === 1 && Array.isArray(value.positions) && value.positions.every(isPosition)) return value.positions;
  } catch {
    // Falls through to the same refusal.
  }
  throw new CliError(`${path} does not hold positions; remove it to start afresh`, EXIT.usage);
}

function isPosition(value: unknown): value is SavedPosition {
  if (typeof value !== 'object' || value === null) return false;
  const { source, session, epoch, seq } = value as Record<string, unknown>;
  return typeof source === 'string' && typeof session === 'string' && Number.isSafeInteger(epoch) && Number.isSafeInteger(seq);
}

function keyOf({ source, session }: SavedPosition): string {
  return JSON.stringify([source, session]);
}
