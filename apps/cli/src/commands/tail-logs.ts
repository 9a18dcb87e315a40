import { realpath, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { followJsonl, JsonlFollowError, type JsonlPosition } from '@aepkit/binding-jsonl/follow';
import { readJsonl } from '@aepkit/binding-jsonl/reader';
import type { Capture, WireEvent } from '@aepkit/envelope';

import { CliError, EXIT } from '../exit-code.js';
import { filterOf } from '../filter-flags.js';
import { logsBelow } from '../import-files.js';
import { interruptible } from '../interrupt.js';
import { defaultLogPositionFile, LogPositions } from '../log-positions.js';
import { LogView } from '../log-view.js';
import { sayNothingShown } from '../nothing-shown.js';
import { say } from '../stdout.js';
import type { TailOptions } from './tail.js';

/** How often a folder is looked at, in milliseconds. */
const LOOK_MS = 500;
/** A look that takes long is followed by a rest this many times as long. */
const REST = 10;
/** Longest line of a log, in bytes. */
const MAX_LINE_BYTES = 67_108_864;

type Start = 'start' | 'end';

/** Follows a log, or all logs in a folder, through everything that happens to logs. How far each was shown is kept. */
export async function tailLogs(path: string, options: TailOptions, capture: Capture | undefined): Promise<number> {
  const { json = false, count = Infinity, follow = true, lines } = options;
  const filter = filterOf(options);
  const view = new LogView({ filter, capture, json, count });
  if (path === '-') return await interruptible((signal) => tailStream(view, signal));
  const folder = (await stat(path).catch(() => undefined))?.isDirectory() === true;
  const keep = options.resume !== false && options.live !== true;
  const name = await realpath(path).catch(() => resolve(path));
  const places = new LogPositions(keep ? (options.state ?? defaultLogPositionFile(name, filter)) : undefined);
  const anew = options.fromStart === true || lines !== undefined;
  const resumed = !anew && (await places.load()) > 0;
  if (resumed) say('going on where the last run stopped (--from-start shows everything)');
  return await interruptible(async (signal) => {
    const logs = new Logs({ path, view, places, signal, start: options.live === true ? 'end' : 'start' });
    try {
      if (lines !== undefined) await logs.last(folder, lines);
      if (folder) await logs.followFolder(follow);
      else if (follow || lines === undefined) await logs.followFile(follow);
    } catch (error) {
      if (error instanceof JsonlFollowError) throw new CliError(`cannot follow ${path}: ${error.message}`, EXIT.usage);
      throw error;
    } finally {
      await places.save();
      view.end();
    }
    if (view.empty && !follow && lines !== 0 && !signal.aborted) sayNothingShown({ filtered: filter !== undefined, resumed: resumed || options.live === true });
    return EXIT.ok;
  });
}

interface LogsOptions {
  readonly path: string;
  readonly view: LogView;
  readonly places: LogPositions;
  readonly signal: AbortSignal;
  /** Where to begin in a log that no run has shown. */
  readonly start: Start;
}

/** Takes an Event that is wanted. Gives `false` when no more are. */
type Take = (wire: WireEvent) => Promise<boolean>;

class Logs {
  readonly #options: LogsOptions;
  readonly #show: Take;
  /** What each log of a folder looked like when it was read last. */
  readonly #looks = new Map<string, string>();

  constructor(options: LogsOptions) {
    this.#options = options;
    const { view, signal } = options;
    this.#show = async (wire) => {
      await view.show(wire);
      return !view.full && !signal.aborted;
    };
  }

  async followFile(follow: boolean): Promise<void> {
    const { path, start } = this.#options;
    if (!follow && (await stat(path).catch(() => undefined)) === undefined) throw new CliError(`there is no ${path}`, EXIT.usage);
    await this.#read('', path, start, { once: !follow }, this.#show);
  }

  /**
   * Looks at the logs again and again, and reads on in those that have changed, one by one: however many there are, one is open. What came
   * since the folder was looked at first is shown from its beginning.
   */
  async followFolder(follow: boolean): Promise<void> {
    const { path: root, places, view, signal } = this.#options;
    let { start } = this.#options;
    for (;;) {
      const began = performance.now();
      const seen = new Set<string>();
      for await (const { folder, name, files } of logsBelow(root)) {
        const path = join(folder, name);
        const log = relative(root, path);
        seen.add(log);
        const look = await lookOf(files);
        if (this.#looks.get(log) === look) continue;
        this.#looks.set(log, look);
        try {
          if (!(await this.#read(log, path, start, { once: true, watch: false }, this.#show))) return;
        } catch (error) {
          if (!(error instanceof JsonlFollowError)) throw error;
          view.unreadable(path, error.message);
        }
      }
      for (const log of this.#looks.keys()) if (!seen.has(log)) this.#looks.delete(log);
      places.keepOnly(seen);
      if (!follow || signal.aborted) return;
      start = 'start';
      const rest = Math.max(LOOK_MS, (performance.now() - began) * REST);
      try {
        await pause(rest, undefined, { signal });
      } catch {
        return;
      }
    }
  }

  /** Shows the last Events there are, and takes everything for shown. */
  async last(folder: boolean, count: number): Promise<void> {
    const { path: root, view } = this.#options;
    let kept: WireEvent[] = [];
    const trim = (): void => {
      // Between logs the time decides; within one it is the order of the log.
      if (folder) kept.sort((a, b) => Date.parse(a.event.time) - Date.parse(b.event.time));
      kept = kept.slice(Math.max(0, kept.length - count));
    };
    const take: Take = (wire) => {
      kept.push(wire);
      if (kept.length >= 2 * count + 100) trim();
      return Promise.resolve(true);
    };
    if (folder) {
      for await (const found of logsBelow(root)) {
        const path = join(found.folder, found.name);
        const log = relative(root, path);
        this.#looks.set(log, await lookOf(found.files));
        await this.#read(log, path, 'start', { once: true, watch: false }, take);
      }
    } else if ((await stat(root).catch(() => undefined)) !== undefined) {
      await this.#read('', root, 'start', { once: true, watch: false }, take);
    }
    trim();
    for (const wire of kept) {
      if (view.full) break;
      await view.show(wire);
    }
  }

  /** Reads a log on from where it is known to be. Gives `false` when no more is wanted. */
  async #read(log: string, path: string, start: Start, how: { once: boolean; watch?: false }, take: Take): Promise<boolean> {
    const { places, view, signal } = this.#options;
    const from: JsonlPosition | Start = places.get(log) ?? start;
    const follower = followJsonl(path, { ...how, from, signal, maxLineBytes: MAX_LINE_BYTES });
    if (view.full) return false;
    places.reading(log, () => follower.position());
    let more = true;
    for await (const item of follower) {
      places.showing();
      if (item.type !== 'event') view.note(path, item);
      else if (view.wants(item.event)) more = await take(item.event);
      places.shown();
      if (!more) break;
    }
    places.read();
    return more && !signal.aborted;
  }
}

async function tailStream(view: LogView, signal: AbortSignal): Promise<number> {
  const ended = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => {
      resolve(undefined);
    });
  });
  const items = readJsonl(process.stdin, { maxLineBytes: MAX_LINE_BYTES });
  for (;;) {
    const step = await Promise.race([items.next(), ended]);
    if (step === undefined || step.done === true) break;
    const item = step.value;
    if (item.type !== 'event') view.note('-', { ...item, file: '-' });
    else if (view.wants(item.event)) await view.show(item.event);
    if (view.full) break;
  }
  // Nothing waits for a stream that nobody reads any more.
  process.stdin.destroy();
  view.end();
  return EXIT.ok;
}

/** What changes when somebody writes to a log or rotates it. */
async function lookOf(files: readonly string[]): Promise<string> {
  const looks = await Promise.all(
    files.map(async (file) => {
      const facts = await stat(file, { bigint: true }).catch(() => undefined);
      return facts === undefined ? '' : `${facts.ino}:${facts.size}:${facts.mtimeNs}`;
    }),
  );
  return looks.join(' ');
}
