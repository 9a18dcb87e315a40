import { INK, runEnd } from './characters.js';

/** How far a rule looks back from its anchor. A stream keeps that much of what it gave out. */
export const LOOKBACK = 768;
/** Rules whose blocks hold white space. */
export const BLOCKS: ReadonlySet<string> = new Set(['pem-block', 'putty-key']);

/** Something to take out, found by one rule. */
export interface Hit {
  readonly rule: string;
  /** Where the rule found its anchor; at or before `start`. */
  readonly from: number;
  readonly start: number;
  readonly end: number;
}

/** A text under the rules, with what several of them need to know of it. */
export class TextWindow {
  readonly text: string;
  /** Whether the text ends here; otherwise more comes behind it. */
  readonly final: boolean;
  /**
   * How far a rule looks ahead of its anchor to decide, in UTF-16 units. What is longer goes from its opening up to the next white
   * space (a PEM block: as long as it goes on), so this bounds what a stream has to hold and lets nothing through.
   */
  readonly ahead: number;
  readonly hits: Hit[] = [];
  /** First anchor that cannot be decided before more of the text is there. */
  open: number = Number.POSITIVE_INFINITY;
  /** The last value without quotes. */
  bare: { readonly from: number; readonly end: number; readonly inData: boolean } = { from: 0, end: 0, inData: false };
  /** Steps taken, for the tests of linear time. */
  work = 0;
  readonly #runs = new Map<number, { from: number; end: number }>();
  readonly #next = new Map<string, { from: number; at: number }>();
  #lineFrom = 0;
  #lineEnd = -1;

  constructor(text: string, final: boolean, ahead: number) {
    this.text = text;
    this.final = final;
    this.ahead = ahead;
  }

  hit(rule: string, from: number, start: number, end: number): void {
    const limit = from + this.ahead;
    const last = end >= limit && !BLOCKS.has(rule) ? this.ink(limit) : end;
    if (start < last) this.hits.push({ rule, from, start, end: last });
  }

  /** More text could change what is decided here. */
  undecided(from: number): void {
    if (!this.final && from < this.open) this.open = from;
  }

  limit(anchor: number): number {
    return Math.min(this.text.length, anchor + this.ahead);
  }

  /**
   * End of the run of a class at `at`. The last run of each key is remembered, so that many anchors in one run do not make it
   * quadratic; rules that ask for several runs by turns give a key of their own.
   */
  run(at: number, bits: number, key: number = bits): number {
    const known = this.#runs.get(key);
    if (known !== undefined && at >= known.from && at < known.end) return known.end;
    const end = runEnd(this.text, at, bits);
    this.work += end - at;
    if (end > at) this.#runs.set(key, { from: at, end });
    return end;
  }

  /** End of what is no white space. */
  ink(at: number): number {
    return this.run(at, INK);
  }

  /** End of the line, without its end. */
  line(at: number): number {
    if (at >= this.#lineFrom && at <= this.#lineEnd) return this.#lineEnd;
    const feed = this.text.indexOf('\n', at);
    let end = feed < 0 ? this.text.length : feed;
    if (end > at && this.text.charCodeAt(end - 1) === 0x0d) end -= 1;
    this.#lineFrom = at;
    this.#lineEnd = end;
    return end;
  }

  /** `indexOf` that remembers what it found last. */
  next(what: string, at: number): number {
    const known = this.#next.get(what);
    if (known !== undefined && at >= known.from && (at <= known.at || known.at < 0)) return known.at;
    const found = this.text.indexOf(what, at);
    this.work += (found < 0 ? this.text.length : found) - at;
    this.#next.set(what, { from: at, at: found });
    return found;
  }
}
