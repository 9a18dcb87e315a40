import type { Spot } from './place.js';
import type { Row } from './rows.js';

/** One Event in the order of its session. */
export interface PlacedRow extends Spot {
  /** `null`: it is passed over. */
  readonly json: string | null;
  readonly type: string;
  readonly owner: LaneOwner;
}

/** Whose Events a lane holds. */
export interface LaneOwner {
  /** Where somebody asks. */
  readonly source?: string;
  /** They have positions of their own, not those of an anchor. */
  readonly sequenced: boolean;
}

/** Reads rows of `epoch`, `seq`, `pos`, `json` and `type` behind a spot, in order, at most so many. */
export type ReadRows = (behind: Spot, limit: number) => Iterable<Row>;

/** One ordered run of Events on its way through a merge. It reads ahead a bounded piece and holds no statement open. */
export class Lane {
  readonly owner: LaneOwner;
  readonly #read: ReadRows;
  readonly #rowsAhead: number;
  readonly #charsAhead: number;
  #rows: PlacedRow[] = [];
  #at = 0;
  #behind: Spot;
  #more = true;

  constructor(read: ReadRows, behind: Spot, ahead: { readonly rows: number; readonly chars: number }, owner: LaneOwner) {
    this.owner = owner;
    this.#read = read;
    this.#behind = behind;
    this.#rowsAhead = ahead.rows;
    this.#charsAhead = ahead.chars;
  }

  /** The next Event; reads where that is needed. */
  get head(): PlacedRow | undefined {
    if (this.#at >= this.#rows.length && this.#more) this.#fill();
    return this.#rows[this.#at];
  }

  advance(): void {
    this.#at += 1;
  }

  #fill(): void {
    this.#rows = [];
    this.#at = 0;
    this.#more = false;
    let chars = 0;
    for (const [epoch, seq, pos, json, type] of this.#read(this.#behind, this.#rowsAhead)) {
      const row = { epoch: Number(epoch), seq: Number(seq), pos: Number(pos), json: typeof json === 'string' ? json : null, type: String(type), owner: this.owner };
      this.#rows.push(row);
      this.#behind = row;
      chars += row.json?.length ?? 0;
      this.#more = this.#rows.length === this.#rowsAhead || chars >= this.#charsAhead;
      if (this.#more) return;
    }
  }
}

/** Takes lanes apart into one order. `compare` is that of the lanes. */
export function* mergeLanes(lanes: readonly Lane[], compare: (a: Spot, b: Spot) => number): Generator<PlacedRow, void, void> {
  // Sorted by head, lowest last: with one lane, which is the rule, there is nothing to do.
  const queue = lanes.filter((lane) => lane.head !== undefined).sort((a, b) => compareHeads(b, a, compare));
  for (let lane = queue.pop(); lane !== undefined; lane = queue.pop()) {
    const next = queue.at(-1);
    for (let row = lane.head; row !== undefined; row = lane.head) {
      if (next?.head !== undefined && compare(row, next.head) > 0) break;
      lane.advance();
      yield row;
    }
    if (lane.head !== undefined) insert(queue, lane, compare);
  }
}

function compareHeads(a: Lane, b: Lane, compare: (a: Spot, b: Spot) => number): number {
  return a.head === undefined || b.head === undefined ? 0 : compare(a.head, b.head);
}

function insert(queue: Lane[], lane: Lane, compare: (a: Spot, b: Spot) => number): void {
  let low = 0;
  let high = queue.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = queue[middle];
    if (other !== undefined && compareHeads(lane, other, compare) < 0) low = middle + 1;
    else high = middle;
  }
  queue.splice(low, 0, lane);
}
