import type { WireEvent } from '@aepkit/envelope';
import type { ReplayBuffer } from '@aepkit/replay-buffer';
import type { Admission, CommittedBatch, EventLog, LogMark, Replayed, ReplayFrom, ReplayHint } from './contracts.js';

/** Options of {@link memoryLog}. */
export interface MemoryLogOptions {
  /** Runs the commit of what was appended in this turn. Default: `setImmediate`, behind all input of the turn. */
  readonly schedule?: (commit: () => void) => void;
}

interface Waiting {
  readonly events: readonly WireEvent[];
  readonly resolve: (admissions: readonly Admission[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes a replay buffer an {@link EventLog}: the history of an endpoint without a disk. What is appended in one turn of the
 * event loop is committed as one group. Marks are the order numbers of the buffer.
 *
 * @example
 * const hub = new Hub({ log: memoryLog(new ReplayBuffer({ perSession: 1_000 })), id: 'relay-1' });
 */
export function memoryLog(buffer: ReplayBuffer, options: MemoryLogOptions = {}): EventLog {
  const schedule = options.schedule ?? ((commit: () => void) => void setImmediate(commit));
  const listeners = new Set<(batch: CommittedBatch) => void>();
  let waiting: Waiting[] = [];

  const commit = (): void => {
    const group = waiting;
    waiting = [];
    const events: WireEvent[] = [];
    const admissions: Admission[] = [];
    const answers: (() => void)[] = [];
    for (const batch of group) {
      try {
        const admitted: Admission[] = [];
        for (const wire of batch.events) admitted.push(buffer.admit(wire));
        for (const wire of batch.events) events.push(wire);
        for (const admission of admitted) admissions.push(admission);
        answers.push(() => batch.resolve(admitted));
      } catch (error) {
        answers.push(() => batch.reject(error));
      }
    }
    if (events.length > 0) for (const listener of [...listeners]) listener({ events, admissions, mark: buffer.order });
    for (const answer of answers) answer();
  };

  return {
    buffer: buffer.perSession,
    append(events) {
      return new Promise((resolve, reject) => {
        if (waiting.length === 0) schedule(commit);
        waiting.push({ events, resolve, reject });
      });
    },
    onCommit(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    mark: () => buffer.order,
    missed: (earliest) => {
      buffer.missed(earliest);
    },
    replay: (from, upTo, hint) => readBuffer(buffer, from, upTo, hint),
  };
}

function readBuffer(buffer: ReplayBuffer, from: ReplayFrom, upTo: LogMark, hint?: ReplayHint): AsyncIterable<readonly Replayed[]> {
  switch (from.type) {
    case 'all':
      return inTurns(buffer.replay('all', upTo, hint));
    case 'positions':
      return inTurns(buffer.replay({ positions: from.positions }, upTo, hint));
    case 'mark':
      return inTurns(buffer.replay({ after: from.mark }, upTo, hint));
  }
}

/** What the executor throws becomes the rejection. */
function inTurns<T>(chunks: Iterator<T, void, void>): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise((resolve) => resolve(chunks.next())),
      return: () => new Promise((resolve) => resolve(chunks.return?.() ?? { done: true, value: undefined })),
    }),
  };
}
