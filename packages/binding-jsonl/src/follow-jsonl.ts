import { errnoOf, JsonlFollowError } from './errors.js';
import { isMissing } from './file-system.js';
import type { FollowItem, JsonlPosition } from './follow-item.js';
import { resolveFollowOptions, type FollowOptions, type FollowSettings } from './follow-options.js';
import { place } from './writer-options.js';
import { compareAge, placesOf, siblingsOf, type Sibling } from './siblings.js';
import { Tail, type TailStart } from './tail.js';
import { Wake, type Happened, type WatchPlace } from './wake.js';

/** A file followed: iterate over it, once. */
export interface JsonlFollower extends AsyncIterable<FollowItem> {
  /** Where to go on behind the last item that was given out; `undefined` while no file was found. */
  position(): JsonlPosition | undefined;
}

/**
 * Follows a JSONL file as it grows, as a live feed (AEP-0003 §3.1), and through everything that happens to logs: rotation by
 * rename, removal and creation, a symbolic link that is turned, truncation, and a file that is not there yet. The old file
 * is read to its end before the new one, and looked at for `lateMs` more; files that came and went in between are found by
 * their names.
 *
 * The iteration goes on until `signal` fires or the caller leaves it (with `once`: until the end of what is there); either closes everything. No more is read than the
 * caller takes. It throws {@link JsonlFollowError} `not-a-file` or `unreadable`.
 *
 * Throws RangeError, TypeError, and {@link JsonlFollowError} `invalid-position` for options that cannot be used.
 *
 * @example
 * ```ts
 * const follower = followJsonl(path, { from: stored });
 * for await (const item of follower) {
 *   if (item.type === 'event') await handle(item.event);
 *   stored = follower.position();
 * }
 * ```
 */
export function followJsonl(path: string, options: FollowOptions = {}): JsonlFollower {
  return new Follower(place('path', path), resolveFollowOptions(options));
}

/** Items of one file, or notes of none. */
interface Batch {
  readonly tail?: Tail;
  readonly items: readonly FollowItem[];
}

type Batches<Result = void> = AsyncGenerator<Batch, Result, void>;

interface LateFile {
  readonly tail: Tail;
  readonly until: number;
}

class Follower implements JsonlFollower {
  readonly #path: string;
  readonly #settings: FollowSettings;
  #started = false;
  #places: readonly WatchPlace[] = [];
  #current: Tail | undefined;
  /** The file that becomes the current one when all before it is read. */
  #next: Tail | undefined;
  /** Files that were rotated away, oldest first. */
  #late: LateFile[] = [];
  /** Rotated files that need not be read: keys of the last scan, and of the one before, since a scan may miss a file. */
  #known: ReadonlySet<string> = new Set();
  #knownBefore: ReadonlySet<string> = new Set();
  #absent = false;

  constructor(path: string, settings: FollowSettings) {
    this.#path = path;
    this.#settings = settings;
  }

  position(): JsonlPosition | undefined {
    const late = this.#late.map(({ tail }) => tail.position());
    // Between two files, the one before is the one to go on from.
    const own = this.#current?.position() ?? late.pop();
    return own === undefined || late.length === 0 ? own : { ...own, late };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<FollowItem, void, void> {
    if (this.#started) throw new TypeError('a follower is iterated once');
    this.#started = true;
    for await (const { tail, items } of this.#batches()) {
      for (const item of items) {
        if (this.#isAborted()) return;
        tail?.gave(item);
        yield item;
      }
      tail?.gaveAll();
    }
  }

  async *#batches(): Batches {
    const wake = new Wake(this.#settings);
    try {
      await this.#watch(wake);
      yield* this.#begin();
      do {
        const happened = wake.take();
        if (happened.polled) await this.#watch(wake);
        for (const { directory, error } of wake.failures()) yield note({ type: 'polling', directory, errno: errnoOf(error) });
        yield* this.#look(wake, happened);
      } while (!this.#settings.once && (await wake.wait()));
    } catch (error) {
      throw this.#failure(error);
    } finally {
      wake.close();
      const open = [this.#current, this.#next, ...this.#late.map(({ tail }) => tail)];
      await Promise.all(open.map(async (tail) => tail?.close()));
    }
  }

  /** Opens what there is. Rotated files are listed before: what is rotated from then on is found at the next scan. */
  async *#begin(): Batches {
    const { from } = this.#settings;
    const siblings = await this.#list();
    if (typeof from === 'object') return yield* this.#resume(from, siblings);
    this.#current = await this.#open(this.#path, from);
    if (this.#current !== undefined) yield opened(this.#current);
  }

  /** Finds the files of a position by what stands in them, wherever they have gone, and what was written since. */
  async *#resume(from: JsonlPosition, siblings: readonly Sibling[]): Batches {
    for (const place of from.late ?? []) {
      const tail = await this.#find(place, siblings);
      if (tail !== undefined) yield* this.#addLate(tail);
    }
    const own = await this.#find(from, siblings);
    if (own === undefined) {
      if (from.offset > 0) yield note({ type: 'lost', file: from.file, offset: from.offset });
      return;
    }
    if (own.path === this.#path) {
      this.#current = own;
      yield opened(own);
      return;
    }
    yield* this.#addLate(own);
    const origin = siblings.find(({ path }) => path === own.path);
    // Where age does not tell, rather twice than never.
    for (const sibling of siblings) if (origin !== undefined && compareAge(sibling, origin) >= 0) yield* this.#addMissed(sibling);
    this.#current = this.#late.pop()?.tail;
  }

  /** The open file that a position speaks of: first where the inode says so, then wherever its bytes are. */
  async #find(place: JsonlPosition, siblings: readonly Sibling[]): Promise<Tail | undefined> {
    const facts = await this.#facts();
    const files = facts === undefined ? [] : [{ path: this.#path, facts }];
    files.push(...siblings.toReversed());
    const same = files.filter((file) => file.facts.id === place.file);
    const others = place.offset === 0 ? [] : files.filter((file) => file.facts.id !== place.file);
    for (const file of [...same, ...others]) {
      if (file.facts.size < place.offset || this.#isOpen(file.facts.id)) continue;
      const tail = await this.#open(file.path, place);
      if (tail !== undefined) return tail;
    }
    return undefined;
  }

  async *#look(wake: Wake, { polled, beside }: Happened): Batches {
    if (this.#current !== undefined) yield* this.#drainCurrent(this.#current);
    if (beside) yield* this.#lookAtLate();
    while (!this.#isAborted()) {
      const facts = await this.#facts();
      if (facts === undefined) {
        if (polled && !this.#absent) yield note({ type: 'missing', path: this.#path });
        this.#absent ||= polled;
        const fresh = beside ? await this.#scan() : [];
        if (fresh.length > 0) yield* this.#moveOn(undefined, fresh);
        return;
      }
      this.#absent = false;
      if (facts.id === this.#current?.id) return;
      this.#next = this.#takeLate(facts.id) ?? (await this.#open(this.#path, 'start'));
      if (this.#next === undefined) {
        wake.again();
        return;
      }
      // Moved away and back between the two calls.
      if (this.#next.id === this.#current?.id) await this.#dropNext();
      else yield* this.#moveOn(this.#next, await this.#scan());
    }
  }

  /**
   * The path names another file, or none while others have come and gone. The old one is read to its end first, then those
   * that were there in between; where the path names none, the last of them is what there is.
   */
  async *#moveOn(next: Tail | undefined, between: readonly Sibling[]): Batches {
    const previous = this.#current;
    if (previous !== undefined) {
      yield* this.#drainCurrent(previous);
      yield note({ type: 'rotated', file: previous.id, offset: previous.offset });
      this.#late.push({ tail: previous, until: this.#settings.now() + this.#settings.lateMs });
      this.#current = undefined;
    }
    for (const sibling of between) yield* this.#addMissed(sibling);
    this.#current = next ?? this.#late.pop()?.tail;
    this.#next = undefined;
    yield* this.#trimLate();
    if (next === undefined) return;
    yield opened(next);
    yield* this.#drainCurrent(next);
  }

  async *#addMissed({ path, facts }: Sibling): Batches {
    if (this.#isOpen(facts.id)) return;
    const tail = await this.#open(path, 'start');
    if (tail === undefined) yield note({ type: 'lost', file: facts.id, offset: 0 });
    else if (this.#isOpen(tail.id)) await tail.close();
    else yield* this.#addLate(tail);
  }

  async *#addLate(tail: Tail): Batches {
    this.#late.push({ tail, until: this.#settings.now() + this.#settings.lateMs });
    yield opened(tail);
    yield* this.#drain(tail);
    // One more than allowed: where the path names nothing, the last one becomes the current file.
    yield* this.#trimLate(1);
  }

  /**
   * A writer that looked up the path just before a rotation writes into the file that was renamed. So rotated files are
   * looked at for a while.
   */
  async *#lookAtLate(): Batches {
    const now = this.#settings.now();
    for (const late of [...this.#late]) {
      const truncated = yield* this.#drain(late.tail);
      if (truncated || now >= late.until) yield* this.#retire(late);
    }
  }

  async *#trimLate(more = 0): Batches {
    while (this.#late.length > this.#settings.maxLateFiles + more) {
      const [oldest] = this.#late;
      if (oldest === undefined) return;
      yield* this.#drain(oldest.tail);
      yield* this.#retire(oldest);
    }
  }

  /** A rotated file that was moved back is read on, not again. */
  #takeLate(id: string): Tail | undefined {
    const back = this.#late.find(({ tail }) => tail.id === id);
    this.#late = this.#late.filter((late) => late !== back);
    return back?.tail;
  }

  async #dropNext(): Promise<void> {
    await this.#next?.close();
    this.#next = undefined;
  }

  async *#retire(late: LateFile): Batches {
    this.#late = this.#late.filter((other) => other !== late);
    await late.tail.close();
    yield { items: late.tail.rest() };
  }

  async *#drainCurrent(tail: Tail): Batches {
    while (yield* this.#drain(tail)) {
      yield note({ type: 'truncated', file: tail.id, offset: tail.offset });
      yield* this.#recover(tail.position());
      tail.restart();
    }
  }

  /** Who truncates a log in place copies it first: what was written between our last read and the copy is in there. */
  async *#recover(boundary: JsonlPosition): Batches {
    for (const { path, facts } of (await this.#scan()).toReversed()) {
      if (boundary.offset === 0 || facts.size <= boundary.offset) continue;
      const copy = await this.#open(path, boundary);
      if (copy === undefined) continue;
      try {
        yield opened(copy);
        yield* this.#drain(copy);
      } finally {
        await copy.close();
      }
      yield { items: copy.rest() };
      return;
    }
  }

  /** Reads to the end. Gives whether the file turned out to be truncated. */
  async *#drain(tail: Tail): Batches<boolean> {
    while (!this.#isAborted()) {
      const read = await tail.read();
      if (read.type !== 'items') return read.type === 'truncated';
      yield { tail, items: read.items };
    }
    return false;
  }

  /** Rotated files that appeared since the last scan, oldest first. */
  async #scan(): Promise<readonly Sibling[]> {
    const [last, before] = [this.#known, this.#knownBefore];
    const siblings = await this.#list();
    return siblings.filter(({ facts }) => !last.has(facts.key) && !before.has(facts.key) && !this.#isOpen(facts.id));
  }

  async #list(): Promise<readonly Sibling[]> {
    const siblings = await siblingsOf(this.#places, this.#settings.isRotated, this.#settings.fileSystem);
    this.#knownBefore = this.#known;
    const open = [this.#current, this.#next, ...this.#late.map(({ tail }) => tail)];
    this.#known = new Set([...siblings.map(({ facts }) => facts.key), ...open.flatMap((tail) => tail?.key ?? [])]);
    return siblings;
  }

  async #watch(wake: Wake): Promise<void> {
    const { fileSystem } = this.#settings;
    this.#places = await placesOf(this.#path, fileSystem);
    await wake.watch(this.#places, async (directory) => (await fileSystem.facts(directory))?.id);
  }

  async #facts(): Promise<Sibling['facts'] | undefined> {
    const facts = await this.#settings.fileSystem.facts(this.#path);
    if (facts?.isFile === false) throw new JsonlFollowError('not-a-file', `${this.#path}: no regular file`, { path: this.#path });
    return facts;
  }

  /** `undefined` where the file has gone, or is not the one that a position speaks of. */
  async #open(path: string, start: TailStart): Promise<Tail | undefined> {
    // A pipe would be read dry: look first.
    const facts = path === this.#path ? await this.#facts() : undefined;
    if (path === this.#path && facts === undefined) return undefined;
    try {
      return await Tail.open(path, start, this.#settings);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  #isOpen(id: string): boolean {
    return this.#current?.id === id || this.#next?.id === id || this.#late.some(({ tail }) => tail.id === id);
  }

  #isAborted(): boolean {
    return this.#settings.signal?.aborted === true;
  }

  #failure(error: unknown): unknown {
    const errno = errnoOf(error);
    if (error instanceof JsonlFollowError || errno === undefined) return error;
    return new JsonlFollowError('unreadable', `${this.#path}: ${errno}`, { path: this.#path, cause: error });
  }
}

function note(item: FollowItem): Batch {
  return { items: [item] };
}

function opened(tail: Tail): Batch {
  const { offset, line } = tail.position();
  return note({ type: 'opened', file: tail.id, path: tail.path, offset, line });
}
