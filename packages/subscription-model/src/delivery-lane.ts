import type { Clock } from './clock.js';
import { strongestMode, type DeliveryMode } from './delivery-mode.js';
import { DeliveryWindow, type Pending } from './delivery-window.js';
import { StreamError } from './errors.js';
import type { EventStream, StreamEntry, StreamPlace, StreamReader } from './event-stream.js';
import type { Message } from './message.js';
import type { ProducerSettings } from './producer-options.js';
import type { ActiveSubscription } from './producer-subscription.js';
import type { WireError } from './wire-error.js';

/** What a lane asks of its session. */
export interface LaneActions {
  /** Whether the connection takes more at the moment. */
  canSend(): boolean;
  deliver(entry: StreamEntry, mode: DeliveryMode): void;
  redeliver(entry: StreamEntry, mode: DeliveryMode, attempt: number): void;
  deadLetter(pending: Pending, error: WireError | undefined): void;
  replayed(subscription: ActiveSubscription, to: string, count: number): void;
  dropped(message: Message): void;
  /** Reading failed: these subscriptions cannot go on. */
  failed(subscriptions: readonly ActiveSubscription[], error: unknown): void;
  subscriptions(): Iterable<ActiveSubscription>;
  visible(message: Message): boolean;
}

interface Replay {
  readonly subscription: ActiveSubscription;
  readonly readers: StreamReader[];
  count: number;
}

/**
 * What one session is still to get, in the order of the stream. Nothing is queued: a session that cannot take an event now, because
 * its connection is full, its window is full or a replay is under way, is remembered as a place, and reads on from there later. So a
 * slow consumer costs a place and a window, however far it is behind.
 *
 * Best effort is outside: delivered at once or dropped, unless the subscription is still catching up (S-O16).
 */
export class DeliveryLane {
  readonly #stream: EventStream;
  readonly #actions: LaneActions;
  readonly #window: DeliveryWindow;
  readonly #replays: Replay[] = [];
  /** The place behind which events are still to be read; none where the session follows the head. */
  #behind: StreamPlace | undefined;
  /** Events up to here are settled for all that follow the lane. */
  #done = -1;
  #reader: StreamReader | undefined;
  /** The replay that is being read; none while it is the lane itself, which a new replay does not interrupt. */
  #reading: Replay | undefined;
  #rest: readonly StreamEntry[] = [];
  #at = 0;
  #busy = false;
  #closed = false;

  constructor(settings: ProducerSettings, clock: Clock, actions: LaneActions) {
    this.#stream = settings.stream;
    this.#actions = actions;
    this.#window = new DeliveryWindow(settings, clock, {
      redeliver: (pending) => {
        if (!actions.canSend()) return false;
        actions.redeliver(pending.entry, pending.mode, pending.attempts);
        return true;
      },
      deadLetter: (pending, error) => actions.deadLetter(pending, error),
    });
  }

  /** A new event that matches; `before` is the place ahead of it. One copy, in the strongest mode (S-O25). */
  offer(entry: StreamEntry, before: StreamPlace, subscriptions: readonly ActiveSubscription[]): void {
    const following = subscriptions.filter(followsLane);
    if (following.length === 0 || !entry.held) {
      if (this.#actions.canSend()) this.#send(entry, 'best_effort', subscriptions);
      else this.#actions.dropped(entry.message);
      return;
    }
    if (entry.order <= this.#done) return;
    if (this.#behind === undefined && this.#replays.length === 0 && this.#hasRoom()) {
      this.#done = entry.order;
      this.#deliver(entry, following);
    } else {
      this.#behind ??= before;
    }
  }

  /** Replays for a new subscription, ahead of everything that is still to come for the session. */
  replay(subscription: ActiveSubscription, readers: readonly StreamReader[]): void {
    this.#replays.push({ subscription, readers: [...readers], count: 0 });
    this.pump();
  }

  acknowledge(id: string): void {
    this.#window.acknowledge(id);
    this.pump();
  }

  reject(id: string, error: WireError): void {
    this.#window.reject(id, error);
    this.pump();
  }

  pendingOf(subscription: ActiveSubscription): number {
    return this.#window.pendingOf(subscription);
  }

  drained(): void {
    this.#window.drained();
    this.pump();
  }

  /** A subscription ended. */
  forget(subscription: ActiveSubscription): void {
    this.#window.forget(subscription);
    const at = this.#replays.findIndex((replay) => replay.subscription === subscription);
    if (at === 0 && this.#reading === this.#replays[0]) this.#stopReading();
    if (at >= 0) for (const replay of this.#replays.splice(at, 1)) for (const reader of replay.readers) reader.close();
    if (this.#replays.length === 0 && !this.#hasFollowers()) {
      this.#stopReading();
      this.#behind = undefined;
    }
    this.pump();
  }

  close(): void {
    this.#closed = true;
    this.#stopReading();
    for (const { readers } of this.#replays) for (const reader of readers) reader.close();
    this.#replays.length = 0;
    this.#window.clear();
  }

  /** Delivers what can be delivered. Loops rather than recurses; where a reader has to wait, it goes on when it has read. */
  pump(): void {
    if (this.#busy) return;
    this.#busy = true;
    try {
      while (!this.#closed && this.#hasRoom() && this.#open()) {
        const entry = this.#rest[this.#at];
        if (entry !== undefined) {
          this.#at += 1;
          this.#take(entry);
          continue;
        }
        const reader = this.#reader;
        const read = reader?.next();
        if (read instanceof Promise) {
          this.#wait(read, reader);
          return;
        }
        this.#accept(read);
      }
    } catch (error) {
      this.#fail(error);
    }
    this.#busy = false;
  }

  #wait(read: Promise<readonly StreamEntry[] | undefined>, reader: StreamReader | undefined): void {
    // Stays busy until then, so that nobody reads ahead of what is read.
    const goOn = (then: () => void): void => {
      this.#busy = false;
      // Whatever was stopped meanwhile is of no interest any more.
      if (!this.#closed && this.#reader === reader) then();
      this.pump();
    };
    read.then(
      (entries) => goOn(() => this.#accept(entries)),
      (error: unknown) => goOn(() => this.#fail(error)),
    );
  }

  #open(): boolean {
    if (this.#reader !== undefined) return true;
    const [replay] = this.#replays;
    this.#reading = replay;
    if (replay !== undefined) this.#reader = replay.readers[0];
    else if (this.#behind !== undefined) this.#reader = this.#stream.read(this.#behind);
    return this.#reader !== undefined;
  }

  #take(entry: StreamEntry): void {
    const { message } = entry;
    const replay = this.#reading;
    if (replay !== undefined) {
      if (!replay.subscription.filter.matches(message) || !this.#actions.visible(message)) return;
      replay.count += 1;
      this.#deliver(entry, [replay.subscription]);
      return;
    }
    if (entry.order <= this.#done) return;
    this.#done = entry.order;
    const following: ActiveSubscription[] = [];
    for (const subscription of this.#actions.subscriptions()) {
      const wants = subscription.live && followsLane(subscription) && entry.order > subscription.from;
      if (wants && subscription.filter.matches(message)) following.push(subscription);
    }
    if (following.length > 0 && this.#actions.visible(message)) this.#deliver(entry, following);
  }

  #accept(entries: readonly StreamEntry[] | undefined): void {
    this.#rest = entries ?? [];
    this.#at = 0;
    if (entries === undefined) this.#finish();
  }

  /** The reader is at its end. */
  #finish(): void {
    const upTo = this.#reader?.upTo;
    this.#reader = undefined;
    const replay = this.#reading;
    if (replay !== undefined) {
      replay.readers.shift();
      if (replay.readers.length > 0) return;
      this.#replays.shift();
      if (upTo !== undefined) this.#actions.replayed(replay.subscription, upTo.cursor, replay.count);
    } else if (upTo !== undefined) {
      this.#done = Math.max(this.#done, upTo.order);
      this.#behind = this.#stream.head().order > upTo.order ? upTo : undefined;
    }
    if (this.#replays.length > 0 || this.#behind !== undefined) return;
    for (const subscription of this.#actions.subscriptions()) {
      if (!subscription.catchingUp) continue;
      subscription.catchingUp = false;
      // What was read here may still be on its way through the fan-out.
      subscription.from = Math.max(subscription.from, this.#done);
    }
  }

  #fail(error: unknown): void {
    const replay = this.#reading;
    this.#stopReading();
    if (replay !== undefined) {
      this.#actions.failed([replay.subscription], error);
      return;
    }
    this.#behind = undefined;
    this.#actions.failed([...this.#actions.subscriptions()].filter(followsLane), error);
  }

  #stopReading(): void {
    this.#reader?.close();
    this.#reader = undefined;
    this.#reading = undefined;
    this.#rest = [];
    this.#at = 0;
  }

  #deliver(entry: StreamEntry, subscriptions: readonly ActiveSubscription[]): void {
    const mode = strongestMode(subscriptions.map((subscription) => subscription.mode));
    // Remembered first: a transport in the same process brings the acknowledgement before the call is over.
    if (mode !== 'best_effort') {
      this.#window.add(
        entry,
        mode,
        subscriptions.filter((subscription) => subscription.mode !== 'best_effort'),
      );
    }
    this.#send(entry, mode, subscriptions);
  }

  #send(entry: StreamEntry, mode: DeliveryMode, subscriptions: readonly ActiveSubscription[]): void {
    for (const subscription of subscriptions) subscription.lastSequence = entry.sequence;
    this.#actions.deliver(entry, mode);
  }

  #hasRoom(): boolean {
    return this.#actions.canSend() && this.#window.hasRoom;
  }

  #hasFollowers(): boolean {
    for (const subscription of this.#actions.subscriptions()) if (followsLane(subscription)) return true;
    return false;
  }
}

function followsLane({ mode, catchingUp }: ActiveSubscription): boolean {
  return mode !== 'best_effort' || catchingUp;
}

/** Whether a failure says that events are gone, and not that reading them failed. */
export function isEvicted(error: unknown): boolean {
  return error instanceof StreamError && error.code === 'evicted';
}
