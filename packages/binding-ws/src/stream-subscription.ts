import type { AepEvent, Position, WireEvent } from '@aepkit/envelope';
import { eventItem, exhaustedItems, Memory, type PositionSaver, positionSaver, ProcessedPositions, type ResumeRequest, type SavedPosition } from '@aepkit/resume';

import type { SocketClientSettings } from './client-options.js';
import { encodeFrame } from './encode-frame.js';
import { SocketClientError } from './errors.js';
import type { ErrorFrame, ReplayExhaustedFrame } from './frame.js';
import { ItemQueue } from './item-queue.js';
import type { Lane } from './lane.js';
import { planSubscribe } from './resume-plan.js';
import type { SocketSubscription } from './socket-client.js';
import type { Closed, Refused, SocketItem } from './socket-item.js';
import type { ResolvedSubscribeOptions } from './subscribe-options.js';

/** What a {@link StreamSubscription} needs of its client. */
export interface SubscriptionHost {
  readonly settings: SocketClientSettings;
  readonly counts: { events: number; duplicates: number; replaced: number };
  /** It is over, and the endpoint may have to be told. */
  left(subscription: StreamSubscription, tell: boolean): void;
  /** More or less waits to be taken. */
  filled(subscription: StreamSubscription): void;
}

/** Refusals of a request that another way to ask may avoid (AEP-0003 §6.5). */
const ASK_OTHERWISE: ReadonlySet<string> = new Set(['invalid-filter', 'limit-exceeded']);

/**
 * The {@link SocketSubscription} a client hands out. It outlives connections: on each it asks anew, from where it is.
 *
 * Two places are kept. What was received decides what is asked for after a break, since it waits here until it is taken; what was
 * processed is what outlives the program.
 */
export class StreamSubscription implements SocketSubscription {
  readonly id: string;
  readonly options: ResolvedSubscribeOptions;
  readonly opened: Promise<boolean>;
  /** Others whose Events were found to be its own as well: they share no connection. */
  readonly overlaps: Set<StreamSubscription> = new Set<StreamSubscription>();
  lane: Lane | undefined;
  readonly #host: SubscriptionHost;
  readonly #queue: ItemQueue;
  readonly #memory: Memory;
  readonly #processed: ProcessedPositions;
  readonly #saver: PositionSaver | undefined;
  readonly #firstOpen = Promise.withResolvers<boolean>();
  #failure: SocketClientError | undefined;
  #resuming = false;
  #allRefused = false;
  /** The ways to ask on this connection that are left, the one that waits for its answer first. */
  #ways: ResumeRequest[] = [];
  #refusal: ErrorFrame | undefined;
  #asked: readonly Position[] = [];
  #over = false;
  #reading = false;

  constructor(id: string, options: ResolvedSubscribeOptions, host: SubscriptionHost) {
    this.id = id;
    this.options = options;
    this.opened = this.#firstOpen.promise;
    this.#host = host;
    this.#queue = new ItemQueue(() => host.filled(this));
    this.#memory = new Memory(host.settings);
    this.#processed = new ProcessedPositions(host.settings.maxSessions);
    const failed = (message: string, cause: unknown): SocketClientError => new SocketClientError('store-failed', message, { cause });
    if (options.store !== undefined) this.#saver = positionSaver(options.store, () => this.#processed.takeChanged(), failed);
  }

  get over(): boolean {
    return this.#over;
  }

  /** Bytes that wait to be taken. */
  get waitingBytes(): number {
    return this.#queue.bytes;
  }

  positions(): SavedPosition[] {
    return this.#processed.list();
  }

  async run(handler: (item: SocketItem) => void | Promise<void>): Promise<void> {
    for await (const item of this) await handler(item);
  }

  close(): void {
    this.#end(true, true);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SocketItem, void, undefined> {
    if (this.#reading) throw new SocketClientError('already-running', 'A subscription is read by one iteration.');
    this.#reading = true;
    try {
      for (let item = await this.#queue.take(); item !== undefined; item = await this.#queue.take()) {
        yield item;
        if (item.type === 'event') {
          this.#processed.processed(item.event);
          this.#saver?.changed();
        }
      }
      if (this.#failure !== undefined) throw this.#failure;
    } finally {
      this.close();
      await this.#saver?.flush();
    }
  }

  /** Where it starts. Returns a promise only where a store is read. */
  begin(): Promise<void> | undefined {
    if (this.#saver === undefined) {
      this.#startAt([]);
      return undefined;
    }
    return this.#saver.load().then(
      (saved) => {
        this.#processed.restore(saved);
        this.#startAt(saved);
      },
      (error: unknown) => {
        this.#failure = error as SocketClientError;
        this.#end(false, false);
      },
    );
  }

  #startAt(saved: readonly SavedPosition[]): void {
    const { from } = this.options;
    if (saved.length > 0) {
      this.#memory.restore(saved);
      this.#resuming = true;
    } else if (from !== 'all') this.#memory.startBehind(from ?? []);
  }

  /** Whether an Event of its connection may be its own. */
  takes(event: AepEvent): boolean {
    const { sessions, match } = this.options;
    if (sessions !== undefined && (event.session === undefined || !sessions.has(event.session))) return false;
    try {
      return match === undefined || match(event);
    } catch {
      // Rather one too many than one lost.
      return true;
    }
  }

  /** Whether no Event can be taken for one of both. */
  isApartFrom(other: StreamSubscription): boolean {
    if (this.overlaps.has(other)) return false;
    const [mine, theirs] = [this.options.sessions, other.options.sessions];
    if (mine !== undefined && theirs !== undefined && ![...mine].some((session) => theirs.has(session))) return true;
    return this.options.match !== undefined && other.options.match !== undefined;
  }

  /** It goes on over another connection: what may have been on its way here is asked for there. */
  moved(): void {
    this.#resuming = true;
  }

  /** A connection is open: asks for what is missing. */
  ask(): void {
    this.#ways = planSubscribe(this.options, {
      resuming: this.#resuming,
      positions: this.#memory.resumePositions(),
      allRefused: this.#allRefused,
      maxPositions: this.#host.settings.maxPositions,
    });
    this.#refusal = undefined;
    this.#askNext();
  }

  #askNext(): void {
    const [way] = this.#ways;
    if (way === undefined) return;
    const { filter, capture } = this.options;
    this.#asked = way.positions;
    // Ahead of the answer: what comes may be ahead of it as well.
    this.#memory.connected(way.resume, this.#asked);
    const from = way.resume === 'all' ? 'all' : way.resume === 'positions' ? way.positions : undefined;
    const frame = encodeFrame({
      type: 'subscribe',
      id: this.id,
      ...(from === undefined ? {} : { from }),
      ...(capture === undefined ? {} : { capture }),
    });
    // The filter goes in as the text it is: numbers keep their digits.
    this.lane?.send(filter === undefined ? frame : `${frame.slice(0, -1)},"filter":${filter}}`);
  }

  /** The endpoint has taken the request. */
  subscribed(): void {
    const [way] = this.#ways;
    if (way === undefined || this.#over) return;
    // That there is no `all` shows only when something else passes.
    if (this.#refusal !== undefined && way.resume !== 'all') this.#allRefused = true;
    this.#ways = [];
    this.#resuming = true;
    this.#queue.push({ type: 'open', resume: way.resume });
    if (way.unlisted) this.#queue.push({ type: 'gap', reason: 'not-listed' });
    this.#firstOpen.resolve(true);
  }

  /** The endpoint refuses the request: tries the next way. */
  refusedRequest(error: ErrorFrame): void {
    const [way] = this.#ways;
    if (way === undefined || this.#over) return;
    this.#refusal ??= error;
    this.#ways.shift();
    if (ASK_OTHERWISE.has(error.code) && this.#ways.length > 0) {
      this.#askNext();
      return;
    }
    // The first refusal is the one that is told: later ones are about what was only a way around it.
    const { code, detail = '' } = this.#refusal;
    this.refused({ type: 'refused', code: code.slice(0, 200), detail: detail.slice(0, 1_000) }, true);
  }

  /** There is no use in going on. */
  refused(refused: Refused, tell: boolean): void {
    if (this.#over) return;
    this.#queue.push(refused);
    this.#end(false, tell);
  }

  closed(closed: Closed): void {
    this.#ways = [];
    this.#queue.push(closed);
  }

  invalid(code: string, detail: string): void {
    this.#queue.push({ type: 'invalid', code, detail });
    this.#host.filled(this);
  }

  exhausted({ session, earliest: { epoch, seq } }: ReplayExhaustedFrame): void {
    for (const item of exhaustedItems({ session, epoch, seq }, this.#asked)) this.#queue.push(item);
    this.#host.filled(this);
  }

  /**
   * An Event of its own. `shared`: another subscription of the connection may have been meant, so that this one is taken, but says
   * nothing about what came before it. Returns whether it was new.
   */
  event(wire: WireEvent, shared: boolean): boolean {
    if (this.#over) return false;
    const { counts } = this.#host;
    const { verdict, missing } = this.#memory.judge(wire, !shared);
    if (missing !== undefined) this.#queue.push({ type: 'gap', reason: 'not-held', ...missing });
    if (verdict === 'duplicate' || verdict === 'redelivered') {
      counts.duplicates += 1;
      if (!shared) this.#memory.confirmed(wire);
      // Of what came for another subscription nobody knows whether it was sent again.
      if (verdict === 'redelivered' && this.options.redeliveries && !shared) {
        this.#queue.push(eventItem(wire, verdict));
        this.#host.filled(this);
      }
      return false;
    }
    counts.events += 1;
    if (verdict === 'replaces') counts.replaced += 1;
    this.#queue.push(eventItem(wire, verdict));
    if (shared) this.#memory.noted(wire);
    else this.#memory.taken(wire);
    this.#host.filled(this);
    return true;
  }

  #end(drop: boolean, tell: boolean): void {
    if (this.#over) return;
    this.#over = true;
    this.#firstOpen.resolve(false);
    this.#queue.end(drop);
    this.#host.left(this, tell);
  }
}
