import type { JsonlWriteError } from './errors.js';
import type { OutgoingLine } from './outgoing.js';

/** One call of `append` that waits. */
interface PendingAppend {
  readonly lines: readonly OutgoingLine[];
  /** The first line that is in no batch yet. */
  next: number;
  readonly resolve: () => void;
  readonly reject: (error: JsonlWriteError) => void;
}

/** Lines of one call inside a batch. */
interface Part {
  readonly append: PendingAppend;
  readonly from: number;
  readonly to: number;
}

/** Whole lines that go out in one write. */
export interface WriteBatch {
  readonly parts: readonly Part[];
  readonly lines: readonly OutgoingLine[];
  /** Bytes of all of them. */
  readonly size: number;
}

/** Calls of `append` in their order, cut into batches at ends of lines. */
export class WriteQueue {
  readonly #maxBatchBytes: number;
  readonly #pending: PendingAppend[] = [];
  #bytes = 0;

  constructor(maxBatchBytes: number) {
    this.#maxBatchBytes = maxBatchBytes;
  }

  /** Bytes that are waiting or being written. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Resolves when all lines are written. */
  add(lines: readonly OutgoingLine[]): Promise<void> {
    return new Promise((resolve, reject) => {
      for (const { size } of lines) this.#bytes += size;
      this.#pending.push({ lines, next: 0, resolve, reject });
    });
  }

  /** The next batch; `undefined` when nothing waits. */
  take(): WriteBatch | undefined {
    const parts: Part[] = [];
    const lines: OutgoingLine[] = [];
    let size = 0;
    for (const append of this.#pending) {
      const from = append.next;
      while (append.next < append.lines.length) {
        const line = append.lines[append.next];
        if (line === undefined || (size > 0 && size + line.size > this.#maxBatchBytes)) break;
        lines.push(line);
        size += line.size;
        append.next += 1;
      }
      if (append.next > from) parts.push({ append, from, to: append.next });
      if (append.next < append.lines.length) break;
    }
    return parts.length === 0 ? undefined : { parts, lines, size };
  }

  /** Settles the calls of a batch of which the first `written` lines went out; the rest failed. */
  settle(batch: WriteBatch, written: number, failure?: JsonlWriteErrorMaker): void {
    let left = written;
    for (const { append, from, to } of batch.parts) {
      const kept = Math.min(left, to - from);
      left -= kept;
      for (let at = from; at < to; at += 1) this.#bytes -= append.lines[at]?.size ?? 0;
      if (failure !== undefined && kept < to - from) {
        // What follows of this call is not tried: its lines would stand behind a gap that nobody knows of.
        for (let at = to; at < append.lines.length; at += 1) this.#bytes -= append.lines[at]?.size ?? 0;
        const first = from + kept;
        append.reject(failure(Array.from({ length: append.lines.length - first }, (_, index) => first + index)));
        this.#remove(append);
      } else if (to === append.lines.length) {
        append.resolve();
        this.#remove(append);
      }
    }
  }

  #remove(append: PendingAppend): void {
    this.#pending.splice(this.#pending.indexOf(append), 1);
  }
}

/** Makes the error of one call from the places of its Events that failed. */
export type JsonlWriteErrorMaker = (failed: readonly number[]) => JsonlWriteError;
