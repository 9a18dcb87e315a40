import { applyEdits, type Edit } from './edit.js';
import { RedactionError } from './errors.js';
import type { Finding } from './finding.js';
import { findEdits, type Found, type Pending, type Settings } from './find-edits.js';
import { BLOCKS, LOOKBACK } from './text-window.js';

/** Redaction of a text that comes in chunks. */
export interface RedactionStream {
  /**
   * Takes a chunk and gives what can be told by now: whole lines, unless a PEM block, a name without its value or the like
   * is open. Throws {@link RedactionError} `ended` behind `end`.
   */
  push(chunk: string): string;
  /** Gives the rest. */
  end(): string;
  /** What was found so far, in places of the whole text. */
  readonly findings: readonly Finding[];
  /** UTF-16 units that are held back now: at most three and a half times `lookahead`, and the last chunk. */
  readonly held: number;
}

/**
 * The text that is not given out yet, with enough of what was for rules to look back on. Rules decide by at most `ahead` units behind
 * their anchor. So in front of a cut that lies that far from the end, or at the end of a line that nothing spans, more text changes nothing.
 */
export class HeldText implements RedactionStream {
  readonly findings: { rule: string; start: number; end: number }[] = [];
  readonly #settings: Settings;
  #text = '';
  /** What stands in front was given out. */
  #given = 0;
  /** Place of `#text` in the whole. */
  #offset = 0;
  #edits: Edit[] = [];
  #pending: readonly Pending[] = [];
  #scanned = 0;
  #ended = false;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  get held(): number {
    return this.#text.length - this.#given;
  }

  push(chunk: string): string {
    if (this.#ended) throw new RedactionError('ended', '$', 'the stream has ended');
    this.#text += chunk;
    const { ahead } = this.#settings;
    const { length } = this.#text;
    const grown = length - this.#scanned;
    const long = this.held > 2 * ahead && grown * 4 >= ahead;
    // What is held back is looked at again only when it grew by a part of itself, so that small chunks stay linear.
    if (!long && !(chunk.includes('\n') && grown * 4 >= this.#scanned - this.#given)) return '';
    const found = findEdits(this.#text, this.#settings, false, { end: this.#given, edits: this.#edits, pending: this.#pending });
    this.#scanned = length;
    const line = this.#lineCut(found);
    if (line > this.#given) return this.#give(found, line);
    return this.held > 2 * ahead ? this.#forced(found) : '';
  }

  end(): string {
    if (this.#ended) throw new RedactionError('ended', '$', 'the stream has ended');
    this.#ended = true;
    const found = findEdits(this.#text, this.#settings, true, { end: this.#given, edits: this.#edits, pending: this.#pending });
    return this.#give(found, this.#text.length);
  }

  /** The last line end that nothing found or undecided spans. */
  #lineCut(found: Found): number {
    let cut = this.#text.length;
    let next = found.edits.length - 1;
    // Everything behind an edit's `from` may hang together with it, so edits are passed from the last one on.
    const reach = farthest(found.edits);
    for (;;) {
      const feed = this.#text.lastIndexOf('\n', Math.min(cut, found.open) - 1);
      cut = feed + 1;
      if (cut <= this.#given) return this.#given;
      while (next >= 0 && (found.edits[next]?.from ?? 0) >= cut) next -= 1;
      // `reach` tells how far anything goes that begins in front of the cut.
      if (next < 0 || (reach[next] ?? 0) < cut) return cut;
      cut = feed;
      if (feed === 0) return this.#given;
    }
  }

  /** A line that is longer than can be held: cut where every rule has looked as far as it does. */
  #forced(found: Found): string {
    let cut = this.#text.length - this.#settings.ahead;
    const secrets = new Set(found.secrets);
    // Only secrets go on behind a cut; home paths and the like are short.
    for (const edit of found.edits) if (!secrets.has(edit) && edit.from < cut && edit.end > cut) cut = edit.from;
    const code = this.#text.charCodeAt(cut);
    const inside = found.edits.some((edit) => edit.start < cut && edit.end > cut);
    if (code >= 0xdc00 && code < 0xe000 && !inside) cut -= 1;
    return cut <= this.#given ? '' : this.#give(found, cut);
  }

  /** What was found in front of a cut and reaches behind it. */
  #behind(found: Found, cut: number): readonly Pending[] {
    const result: Pending[] = [];
    const at = found.secrets.find((edit) => edit.start < cut && edit.end >= cut);
    for (const hit of found.hits) {
      if (hit.from >= cut || hit.end < cut) continue;
      const before = this.#pending.length > 0 && 'begun' in hit ? (hit as Pending) : undefined;
      const grows = hit.end === this.#text.length && (before === undefined ? hit.end - hit.from >= this.#settings.ahead : true);
      const begun = hit.start < cut || (before?.begun ?? false);
      result.push({
        rule: begun && at !== undefined ? at.rule : hit.rule,
        from: Math.max(hit.from, cut),
        start: Math.max(hit.start, cut),
        end: hit.end,
        begun,
        ink: grows && (before === undefined ? !BLOCKS.has(hit.rule) : before.ink),
        block: grows && (before === undefined ? BLOCKS.has(hit.rule) : before.block),
      });
    }
    // The rest of a word that goes with a secret.
    if (at !== undefined && !result.some((pending) => pending.begun)) result.push({ rule: at.rule, from: cut, start: cut, end: cut, begun: true, ink: false, block: false });
    return result;
  }

  #give(found: Found, cut: number): string {
    const begin = this.#given;
    const continued = this.#pending.some((pending) => pending.begun);
    // The last piece of the text has no cut behind it.
    const edits = found.edits.filter((edit) => edit.start < cut || (edit.start === begin && continued));
    const clipped = edits.map((edit, index) => ({ ...edit, end: Math.min(edit.end, cut), text: index === 0 && continued && edit.start === begin ? '' : edit.text }));
    const output = applyEdits(this.#text, clipped, begin, cut);
    clipped.forEach((edit, index) => {
      const last = this.findings.at(-1);
      if (index === 0 && continued && edit.start === begin && last !== undefined) Object.assign(last, { end: edit.end + this.#offset, rule: edit.rule });
      else this.findings.push({ rule: edit.rule, start: edit.start + this.#offset, end: edit.end + this.#offset });
    });
    const pending = this.#behind(found, cut);
    const secrets = found.secrets.filter((edit) => edit.start < cut).map((edit) => ({ ...edit, end: Math.min(edit.end, cut) }));
    const drop = Math.max(0, cut - LOOKBACK);
    this.#edits = [...this.#edits, ...secrets]
      .filter((edit) => edit.end > drop)
      .map((edit) => ({ ...edit, from: Math.max(0, edit.from - drop), start: Math.max(0, edit.start - drop), end: edit.end - drop }));
    this.#pending = pending.map((hit) => ({ ...hit, from: hit.from - drop, start: hit.start - drop, end: hit.end - drop }));
    this.#text = this.#text.slice(drop);
    this.#offset += drop;
    this.#given = cut - drop;
    this.#scanned -= drop;
    return output;
  }
}

/** For each edit how far it and those in front of it reach. */
function farthest(edits: readonly Edit[]): readonly number[] {
  const result: number[] = [];
  let reach = 0;
  for (const edit of edits) {
    reach = Math.max(reach, edit.end);
    result.push(reach);
  }
  return result;
}
