/** A piece of a text that is replaced. Edits of one text do not overlap. */
export interface Edit {
  readonly rule: string;
  /** The text that led to it begins here, at or before `start`. */
  readonly from: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text with its edits, which are in order. */
export function applyEdits(text: string, edits: readonly Edit[], from = 0, to: number = text.length): string {
  let result = '';
  let at = from;
  for (const edit of edits) {
    if (edit.end <= from || edit.start >= to) continue;
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return at === 0 && to === text.length ? text : result + text.slice(at, Math.max(at, to));
}

/** Gives places of the edited text in the original. A place inside of a replacement is the end of what was replaced. */
export function placesBefore(edits: readonly Edit[]): (at: number) => number {
  const ends: number[] = [];
  const shifts: number[] = [];
  let shift = 0;
  for (const edit of edits) {
    shift += edit.end - edit.start - edit.text.length;
    ends.push(edit.end - shift);
    shifts.push(shift);
  }
  return (at) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ends[middle] ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? at : at + (shifts[low - 1] ?? 0);
  };
}
