import { join } from 'node:path';

import { build } from 'esbuild';

import { followJsonl, type FollowItem, type FollowOptions, type JsonlFollower } from '../src/follow.js';
import type { JsonlItem } from '../src/reader.js';
import { nodeFileSystem, type JsonlFile, type JsonlFileSystem } from '../src/writer.js';

/** Ids of the Events among items. */
export function ids(items: readonly (JsonlItem | FollowItem)[]): string[] {
  return items.flatMap((item) => (item.type === 'event' ? [item.event.event.id] : []));
}

/** Types of items that are no Events. */
export function others(items: readonly (JsonlItem | FollowItem)[]): string[] {
  return items.flatMap((item) => (item.type === 'event' ? [] : [item.type]));
}

/** A follower that runs in the background. */
export interface Probe extends AsyncDisposable {
  readonly follower: JsonlFollower;
  readonly items: FollowItem[];
  /** Waits until the items fulfil something; rejects when the follower ends first. */
  until(fulfilled: (items: readonly FollowItem[]) => boolean): Promise<void>;
  /** Waits until this many Events have come. */
  events(count: number): Promise<string[]>;
  /** Waits for an item of a type. */
  seen(type: FollowItem['type'], count?: number): Promise<void>;
  stop(): Promise<void>;
}

export function probe(path: string, options: FollowOptions = {}): Probe {
  const control = new AbortController();
  const follower = followJsonl(path, { ...options, signal: control.signal });
  const items: FollowItem[] = [];
  const watchers = new Set<() => void>();
  let failure: unknown;
  let ended = false;
  const changed = (): void => {
    for (const watcher of watchers) watcher();
  };
  const run = (async () => {
    try {
      for await (const item of follower) {
        items.push(item);
        changed();
      }
    } catch (error) {
      failure = error;
    }
    ended = true;
    changed();
  })();
  const until: Probe['until'] = (fulfilled) =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (fulfilled(items)) resolve();
        else if (ended) reject(failure instanceof Error ? failure : new Error('the follower ended'));
        else return;
        watchers.delete(look);
      };
      watchers.add(look);
      look();
    });
  const stop = async (): Promise<void> => {
    control.abort();
    await run;
  };
  return {
    follower,
    items,
    until,
    events: async (count) => {
      await until((all) => ids(all).length >= count);
      return ids(items);
    },
    seen: (type, count = 1) => until((all) => all.filter((item) => item.type === type).length >= count),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** What happens to the writes of a {@link faultyFileSystem}. */
export interface Faults {
  /** For each write: bytes it may take, an error code to throw, or `undefined` for a whole write. */
  readonly writes: (number | string | undefined)[];
  readonly log: string[];
  /** An error code for the next calls, by name. */
  readonly fail: Partial<Record<'sync' | 'rename' | 'openAppend' | 'syncDirectory' | 'openRead' | 'list', string>>;
  open: number;
  mostOpen: number;
  syncs: number;
}

/** The real file system, with faults where a test wants them. */
export function faultyFileSystem(): { readonly fileSystem: JsonlFileSystem; readonly faults: Faults } {
  const faults: Faults = { writes: [], log: [], fail: {}, open: 0, mostOpen: 0, syncs: 0 };
  const check = (name: keyof Faults['fail']): void => {
    const code = faults.fail[name];
    if (code !== undefined) throw systemError(code);
  };
  const wrap = (file: JsonlFile): JsonlFile => {
    faults.open += 1;
    faults.mostOpen = Math.max(faults.mostOpen, faults.open);
    return {
      ...file,
      async write(bytes) {
        const fault = faults.writes.shift();
        if (typeof fault === 'string') throw systemError(fault);
        const part = fault === undefined ? bytes : bytes.subarray(0, fault);
        faults.log.push(Buffer.from(part).toString());
        return part.length === 0 ? 0 : file.write(part);
      },
      async sync() {
        check('sync');
        faults.syncs += 1;
        await file.sync();
      },
      async close() {
        faults.open -= 1;
        await file.close();
      },
    };
  };
  const fileSystem: JsonlFileSystem = {
    ...nodeFileSystem,
    async openAppend(path, mode) {
      check('openAppend');
      return wrap(await nodeFileSystem.openAppend(path, mode));
    },
    async openRead(path) {
      check('openRead');
      return wrap(await nodeFileSystem.openRead(path));
    },
    async rename(from, to) {
      check('rename');
      await nodeFileSystem.rename(from, to);
    },
    async list(directory) {
      check('list');
      return nodeFileSystem.list(directory);
    },
    async syncDirectory(path) {
      check('syncDirectory');
      faults.log.push(`dir ${path}`);
      await nodeFileSystem.syncDirectory(path);
    },
  };
  return { fileSystem, faults };
}

export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: says the system`), { code });
}

/** Makes a program for a child process out of a file beside this one, so that it runs our sources. */
export async function program(name: string, folder: string): Promise<string> {
  const outfile = join(folder, `${name}.mjs`);
  await build({
    entryPoints: [join(import.meta.dirname, `${name}.ts`)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    logLevel: 'silent',
  });
  return outfile;
}
