import type { CloseReason, DeliveredPosition, EventLog, Exhausted, LogMark, ReplayFrom, Sink } from './contracts.js';
import { JoinedBatch, type SharedBatch, sourcePositionOf } from './delivery.js';
import type { Receiver } from './fanout.js';
import type { ResolvedOptions } from './options.js';
import { type Debt, OwedMarkers } from './owed-markers.js';
import { type Parcel, withBatch } from './parcel.js';
import { DeliveredPositions } from './positions.js';
import { readBackSelection, replaySelection, type ReplayTarget, sendReplay } from './replayer.js';
import { queueStage, type QueueStage, type ReadBackStage, type ReplayStage, type Stage } from './stage.js';
import type { Counters } from './stats.js';
import type { LiveSubscription } from './subscription.js';

/** What an outbox needs from its connection and the hub. */
export interface OutboxHost {
  readonly log: EventLog;
  readonly options: ResolvedOptions;
  readonly counters: Counters;
  /** The mark of fan-out: what lies behind it has not been handed to any outbox. */
  mark(): LogMark;
  readonly subscriptions: () => Iterable<LiveSubscription>;
  /** A replay has been written to its end. */
  replayed(subscription: LiveSubscription): void;
  /** Ends the connection. */
  fail(reason: CloseReason, error?: unknown): void;
}

/** A consumer that drains keeps up while no more than this part of its bound waits: a quarter. */
const KEEPS_UP = 4;

/**
 * What one consumer is still to get, in order, with bounded memory.
 *
 * It is a list of stages that are worked off from the front. With a single stage, an empty queue, and a sink that is not
 * full, an Event is written in the turn of its commit. Otherwise it waits in the last stage.
 *
 * Why a replay and the live Events behind it leave no hole and send nothing twice (AEP-0003 §7): fan-out moves its mark
 * and hands a batch to all outboxes in one turn, and a subscription is registered, reads the mark and appends its stages
 * in one turn as well. So each Event lies either at or before the mark, then it is in the replay (which ends there) and
 * was never matched for the subscription; or behind it, then fan-out put it into the stage behind the replay. The mark is
 * that of fan-out and not the end of the log: what the log holds beyond it is still to be fanned out and would come twice.
 *
 * Why forgetting is no loss: a queue stage holds exactly what fan-out gave this connection between its two marks. Where
 * it outgrows the bound, its admitted Events are dropped and later read from the log between these same marks; in the turn
 * that fixes the upper one, the stage starts over behind it. What the log cannot give a second time (redeliveries, late and
 * unbuffered Events) stays in the queue and follows. A subscription that joins meanwhile opens a stage of its own, so that
 * a read-back never serves it Events from before it was there.
 *
 * Live Events of all sessions wait while a replay runs: within a session none can overtake its own history, whichever
 * subscription it is for (AEP-0003 §6.5), and live delivery of the subscription follows its replay.
 */
export class Outbox implements Receiver {
  // What an ordinary delivery reads comes first: with thousands of connections each line of cache counts.
  /** Nothing waits and the sink has room: what comes is written at once. */
  #idle = true;
  #closed = false;
  /** There are markers in `#owed`. */
  #owing = false;
  readonly #sink: Sink;
  readonly #counters: Counters;
  readonly #delivered: DeliveredPositions | undefined;
  #full = false;
  #pumping = false;
  readonly #host: OutboxHost;
  readonly #owed: OwedMarkers;
  readonly #stages: Stage[] = [];
  #open: QueueStage;
  /** The committed batch that is being taken, and whether it is let in whole. */
  #commit = 0;
  #whole = false;
  /** The sink has drained since the commit before. */
  #moved = false;
  #dropped = 0;
  #stall: unknown;
  #waiting: (() => void)[] = [];

  constructor(sink: Sink, host: OutboxHost, positions: boolean) {
    this.#sink = sink;
    this.#counters = host.counters;
    this.#host = host;
    this.#owed = new OwedMarkers(host.options.maxPositions);
    this.#delivered = positions ? new DeliveredPositions(host.options.maxDeliveredPositions) : undefined;
    this.#open = queueStage(host.mark());
    this.#stages.push(this.#open);
  }

  get queuedBytes(): number {
    let bytes = 0;
    for (const stage of this.#stages) if (stage.type === 'queue') bytes += stage.queue.bytes;
    return bytes;
  }

  get dropped(): number {
    return this.#dropped;
  }

  get stages(): number {
    return this.#stages.length;
  }

  /** Takes what a committed batch holds for this connection: writes it now, or lets it wait. */
  deliver(parcel: Parcel, commit: number): void {
    if (this.#closed) return;
    if (commit !== this.#commit) {
      // A commit is let in whole where the consumer keeps up: no sink could drain between two slices of it, so the size of a
      // commit says nothing about a consumer. What then waits is held against it when the next one comes.
      this.#commit = commit;
      this.#whole = this.#idle || (this.#moved && this.queuedBytes * KEEPS_UP <= this.#host.options.maxQueueBytes);
      this.#moved = false;
    }
    if (this.#idle) {
      this.#write(parcel.batch);
      this.#note(parcel);
      return;
    }
    const kept = this.#open.gap ? withBatch(parcel, parcel.batch.unreadable) : parcel;
    if (kept === undefined) return;
    this.#open.queue.push(kept);
    if (!this.#whole) this.#relieve();
  }

  /** An Event could not be lowered for this consumer: it must not go on as if nothing was missing. */
  fail(error: unknown): void {
    this.#host.fail('internal-error', error);
  }

  /** Appends a replay up to the mark, and the stage of the live Events behind it. `from` undefined: nothing to replay. */
  replay(subscription: LiveSubscription, from: ReplayFrom | undefined): void {
    const mark = this.#host.mark();
    this.#idle = false;
    this.#open.to = mark;
    this.#open = queueStage(mark);
    this.#stages.push({ type: 'replay', subscription, from, upTo: mark }, this.#open);
    if (this.#full) this.#armStall();
    this.#kick();
  }

  /** A subscription without a replay joins: what is read back later must not reach behind this point for it. */
  join(): void {
    const mark = this.#host.mark();
    if (this.#stages.length === 1 || (this.#open.from === mark && this.#open.queue.empty && !this.#open.gap)) return;
    this.#open.to = mark;
    this.#open = queueStage(mark);
    this.#stages.push(this.#open);
  }

  /** A marker is due ahead of an Event of the session. */
  owe(session: string, subscription: LiveSubscription, debt?: Debt): void {
    // Its own positions tell a consumer that comes back what it has missed.
    if (this.#owed.add(session, subscription, debt)) this.#owing = true;
    else this.#host.fail('replay-evicted');
  }

  /** Nothing more for this subscription. */
  remove(subscription: LiveSubscription): void {
    this.#delivered?.forget(subscription.id);
    this.#owed.remove(subscription);
    for (const stage of this.#stages) if (stage.type === 'queue') stage.queue.remove(subscription);
  }

  /** The last positions written. */
  delivered(): readonly DeliveredPosition[] {
    return this.#delivered?.list() ?? [];
  }

  /** Settles when what fan-out gave so far is written, or at once where a replay is in between. */
  flushed(): Promise<void> {
    if (this.#closed || this.#stages.length > 1 || this.#open.queue.empty) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Throws away what waits. */
  close(): void {
    this.#closed = true;
    this.#disarmStall();
    for (const stage of this.#stages) if (stage.type === 'queue') stage.queue.clear();
    this.#release();
  }

  #kick(): void {
    if (this.#pumping || this.#closed) return;
    this.#pumping = true;
    void this.#pump();
  }

  async #pump(): Promise<void> {
    // The binding answers a subscribe before anything is written for it (AEP-0003 §6.5).
    await Promise.resolve();
    try {
      while (!this.#closed) {
        const [stage] = this.#stages;
        if (stage === undefined) break;
        if (this.#full) await this.#drain();
        else if (stage.type !== 'queue') await this.#replay(stage);
        else if (!this.#advance(stage)) break;
      }
    } catch (error) {
      this.#host.fail('internal-error', error);
    }
    // In the turn of the last look at the stages: nothing can have been added since without starting the pump again.
    this.#pumping = false;
  }

  /** Works on a queue in front. `false`: nothing is left to do. */
  #advance(stage: QueueStage): boolean {
    if (stage.gap) {
      const upTo = stage.to ?? this.#host.mark();
      this.#stages.unshift({ type: 'read-back', from: stage.from, upTo });
      stage.gap = false;
      stage.from = upTo;
    } else if (!stage.queue.empty) {
      this.#send(stage.queue.take(this.#host.options.replayWriteBytes));
    } else if (stage !== this.#open) {
      this.#stages.shift();
    } else {
      this.#idle = true;
      this.#release();
      return false;
    }
    return true;
  }

  async #replay(stage: ReplayStage | ReadBackStage): Promise<void> {
    const { log, options, subscriptions } = this.#host;
    const wanted = stage.type === 'replay' ? [stage.subscription] : [...subscriptions()].filter((each) => each.live && each.since <= stage.from);
    const selection = stage.type === 'replay' ? replaySelection(stage.subscription) : readBackSelection(wanted);
    const from: ReplayFrom | undefined = stage.type === 'replay' ? stage.from : { type: 'mark', mark: stage.from };
    const stopped = (): boolean => this.#closed || wanted.every((each) => each.closed);
    const target: ReplayTarget = {
      stopped,
      send: async (parcel) => {
        this.#send([parcel]);
        while (this.#full && !this.#closed) await this.#drain();
      },
      exhausted: (marker) => {
        if (stage.type === 'replay') this.#mark(marker, stage.subscription);
      },
      owed: (session, behind) => {
        if (stage.type === 'replay' && stage.subscription.live) this.owe(session, stage.subscription, behind && { behind });
      },
    };
    if (from !== undefined && !stopped()) {
      const pace = { writeBytes: options.replayWriteBytes, yieldTurn: options.yieldTurn };
      try {
        await sendReplay(log.replay(from, stage.upTo, selection.hint), selection, target, pace);
      } catch (error) {
        if (!stopped()) {
          if (isEviction(error)) this.#host.fail('replay-evicted');
          else this.#host.fail('unavailable', error);
          return;
        }
      }
    }
    this.#stages.shift();
    if (stage.type === 'replay' && !stopped()) this.#host.replayed(stage.subscription);
  }

  #send(parcels: readonly Parcel[]): void {
    const [only] = parcels;
    if (only === undefined) return;
    this.#write(parcels.length === 1 ? only.batch : new JoinedBatch(parcels.map((parcel) => parcel.batch)));
    for (const parcel of parcels) this.#note(parcel);
  }

  #write(batch: SharedBatch | JoinedBatch): void {
    if (this.#owing) this.#announce(batch);
    if (this.#closed) return;
    let room: boolean;
    try {
      room = this.#sink.write(batch);
    } catch (error) {
      this.#host.fail('internal-error', error);
      return;
    }
    if (room) return;
    this.#full = true;
    this.#idle = false;
    this.#kick();
  }

  #announce(batch: SharedBatch | JoinedBatch): void {
    for (const { marker, subscription } of this.#owed.due(batch.deliveries.map(({ event }) => event))) this.#mark(marker, subscription);
    this.#owing = !this.#owed.empty;
  }

  #note({ batch, sole, matched }: Parcel): void {
    if (this.#closed) return;
    this.#counters.delivered += batch.deliveries.length;
    const delivered = this.#delivered;
    if (delivered === undefined) return;
    if (sole !== undefined) {
      if (!sole.closed) delivered.note(sole.id, batch.latest);
      return;
    }
    for (const [i, { event }] of batch.deliveries.entries()) {
      const position = sourcePositionOf(event);
      if (position === undefined) continue;
      for (const subscription of [matched[i] ?? []].flat()) if (!subscription.closed) delivered.note(subscription.id, [position]);
    }
  }

  #mark(marker: Exhausted, subscription: LiveSubscription): void {
    if (this.#closed || subscription.closed) return;
    try {
      this.#sink.exhausted(marker, subscription.id);
    } catch (error) {
      this.#host.fail('internal-error', error);
    }
  }

  /** Brings what waits back under the bound (AEP-0003 §8.4). */
  #relieve(): void {
    const { maxQueueBytes } = this.#host.options;
    let excess = this.queuedBytes - maxQueueBytes;
    if (excess <= 0) return;
    // Behind a replay the log has it: no loss. The first stage is being written; reading it again would send it twice.
    for (let i = this.#stages.length - 1; i > 0 && excess > 0; i--) {
      const stage = this.#stages[i];
      if (stage?.type !== 'queue' || stage.gap) continue;
      stage.queue.forget();
      stage.gap = true;
      excess = this.queuedBytes - maxQueueBytes;
    }
    for (const stage of this.#stages) {
      if (excess <= 0) return;
      if (stage.type !== 'queue') continue;
      const dropped = stage.queue.thin(stage.queue.bytes - excess);
      this.#dropped += dropped;
      this.#counters.dropped += dropped;
      excess = this.queuedBytes - maxQueueBytes;
    }
    if (excess > 0) this.#host.fail('slow-consumer');
  }

  async #drain(): Promise<void> {
    this.#armStall();
    await this.#sink.drained();
    this.#full = false;
    this.#moved = true;
    this.#disarmStall();
  }

  /** A replay drops nothing, so a consumer that takes nothing is closed after a while (AEP-0003 §8.4). */
  #armStall(): void {
    const { replayStallMs, timers } = this.#host.options;
    if (this.#stall !== undefined || this.#stages.length === 1 || replayStallMs === Infinity || this.#closed) return;
    this.#stall = timers.setTimeout(() => {
      this.#host.fail('replay-stalled');
    }, replayStallMs);
  }

  #disarmStall(): void {
    if (this.#stall === undefined) return;
    this.#host.options.timers.clearTimeout(this.#stall);
    this.#stall = undefined;
  }

  #release(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

function isEviction(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'replay-evicted';
}
