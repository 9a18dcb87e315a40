import type { WireEvent } from '@aepkit/envelope';
import type { Admission, CommittedBatch, LogMark } from '@aepkit/hub';
import type { Engine } from './engine.js';
import { HistoryError } from './errors.js';
import { ADMISSIONS, makeGroup, type Outcome } from './group.js';

/** Texts of one commit, unless a single batch has more. */
const GROUP_CHARS = 4 * 1024 ** 2;
/** Events that are worth a commit of their own: with so many a group is made while the one ahead of it still runs. */
const AHEAD_EVENTS = 256;
/** Groups the writer may have: one it works on and one it finds ready, so that it never waits for this thread. */
const GROUPS_UNDER_WAY = 2;

interface Waiting {
  readonly events: readonly WireEvent[];
  readonly chars: number;
  readonly resolve: (admissions: readonly Admission[]) => void;
  readonly reject: (error: HistoryError) => void;
}

/**
 * Puts batches together to groups: a group is what arrived while the commit ahead of it ran, so nobody waits for company.
 * Groups are committed, and answered, in the order they are made.
 */
export class GroupCommit {
  readonly #engine: Engine;
  readonly #groupEvents: number;
  readonly #listeners = new Set<(batch: CommittedBatch) => void>();
  #waiting: Waiting[] = [];
  #waitingEvents = 0;
  #underWay = 0;
  #drained: (() => void)[] = [];
  #mark: LogMark;
  #indexed: LogMark;
  #commits = 0;
  #appended = 0;

  constructor(engine: Engine, groupEvents: number) {
    this.#engine = engine;
    this.#groupEvents = groupEvents;
    this.#mark = engine.mark;
    // A writer catches up when it opens the file.
    this.#indexed = engine.mark;
  }

  get mark(): LogMark {
    return this.#mark;
  }

  get counts(): { readonly commits: number; readonly appended: number } {
    return { commits: this.#commits, appended: this.#appended };
  }

  append(events: readonly WireEvent[]): Promise<readonly Admission[]> {
    if (events.length === 0) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      let chars = 0;
      for (const { json } of events) chars += json.length;
      this.#waiting.push({ events, chars, resolve, reject });
      this.#waitingEvents += events.length;
      this.#next();
    });
  }

  onCommit(listener: (batch: CommittedBatch) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Makes positions and summaries complete up to a mark that was given out. */
  async index(upTo: LogMark): Promise<void> {
    if (this.#indexed < upTo) this.#indexed = Math.max(this.#indexed, await this.#engine.index());
  }

  /** Settles when everything appended is answered. */
  drained(): Promise<void> {
    if (this.#underWay === 0) return Promise.resolve();
    return new Promise((resolve) => this.#drained.push(resolve));
  }

  #next(): void {
    while (this.#underWay === 0 ? this.#waitingEvents > 0 : this.#underWay < GROUPS_UNDER_WAY && this.#waitingEvents >= AHEAD_EVENTS) {
      const group = this.#take();
      this.#underWay += 1;
      this.#engine.commit(makeGroup(group.map(({ events }) => events)), (result) => {
        this.#underWay -= 1;
        // The writer has work again before this thread turns to fan-out. Its answer comes in a later turn.
        this.#next();
        this.#settle(group, result);
      });
    }
    if (this.#underWay === 0) for (const resolve of this.#drained.splice(0)) resolve();
  }

  #take(): readonly Waiting[] {
    let count = 0;
    let events = 0;
    let chars = 0;
    for (const batch of this.#waiting) {
      if (count > 0 && (events + batch.events.length > this.#groupEvents || chars + batch.chars > GROUP_CHARS)) break;
      events += batch.events.length;
      chars += batch.chars;
      count += 1;
    }
    this.#waitingEvents -= events;
    return this.#waiting.splice(0, count);
  }

  /** One turn of the event loop: the mark moves, listeners fan out, then the answers leave. */
  #settle(group: readonly Waiting[], result: Outcome | HistoryError): void {
    if (result instanceof HistoryError) {
      for (const { reject } of group) reject(result);
      return;
    }
    this.#mark = result.mark;
    this.#indexed = Math.max(this.#indexed, result.indexed);
    const failed = new Map(result.failures.map((failure) => [failure.batch, failure]));
    const events: WireEvent[] = [];
    const admissions: Admission[] = [];
    const answers: (() => void)[] = [];
    let at = 0;
    for (const [index, batch] of group.entries()) {
      const failure = failed.get(index);
      const from = at;
      at += batch.events.length;
      if (failure !== undefined) {
        answers.push(() => {
          batch.reject(new HistoryError(failure.code, failure.message));
        });
        continue;
      }
      const admitted: Admission[] = [];
      for (let event = from; event < at; event += 1) admitted.push(ADMISSIONS[result.admissions[event] ?? 0] ?? 'admitted');
      for (const wire of batch.events) events.push(wire);
      for (const admission of admitted) admissions.push(admission);
      answers.push(() => {
        batch.resolve(admitted);
      });
    }
    if (events.length > 0) {
      this.#commits += 1;
      this.#appended += events.length;
      this.#announce({ events, admissions, mark: result.mark });
    }
    for (const answer of answers) answer();
  }

  /** A listener that throws breaks neither the others nor the answers; the fault surfaces as an uncaught one. */
  #announce(batch: CommittedBatch): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(batch);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
