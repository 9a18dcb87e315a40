import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { parse } from 'smol-toml';

import type { FoundHook } from './hook-settings.js';

/** What the `config.toml` beside a `hooks.json` says of hooks. */
export interface CodexState {
  /** Whether hooks are turned off by a feature flag. */
  readonly off: boolean;
  /** Whether hooks stand in the file itself; Codex runs those of both, and says so at each start. */
  readonly inline: boolean;
  /** Keys of the hooks that somebody looked at and trusted. */
  readonly trusted: ReadonlySet<string>;
}

/** Reads it; undefined where the file is none that Codex could read. */
export async function codexState(hooksFile: string): Promise<CodexState | undefined> {
  const text = await readFile(join(dirname(hooksFile), 'config.toml'), 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  });
  try {
    const value: Table = parse(text);
    const features = tableOf(value.features);
    const { state, ...events } = tableOf(value.hooks);
    return {
      off: features.hooks === false || (features.hooks === undefined && features.codex_hooks === false),
      inline: Object.values(events).some((list) => Array.isArray(list) && list.length > 0),
      trusted: new Set(Object.entries(tableOf(state)).flatMap(([key, entry]) => (typeof tableOf(entry).trusted_hash === 'string' ? [key] : []))),
    };
  } catch {
    return undefined;
  }
}

/** How many of the hooks stand among the trusted ones. Whether they have changed since only Codex can tell. */
export function trustedCount({ trusted }: CodexState, files: readonly string[], found: readonly FoundHook[]): number {
  return found.filter(({ event, group, handler }) => files.some((file) => trusted.has(`${file}:${snake(event)}:${group}:${handler}`))).length;
}

type Table = Readonly<Record<string, unknown>>;

function tableOf(value: unknown): Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Table) : {};
}

function snake(event: string): string {
  return event.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
