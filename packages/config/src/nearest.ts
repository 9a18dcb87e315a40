/** The name closest to `given` by edits, if any is close enough to be a slip. */
export function nearest(given: string, names: readonly string[]): string | undefined {
  const wanted = given.slice(0, MAX_LENGTH);
  let best: string | undefined;
  let least = Math.max(2, Math.floor(wanted.length / 3)) + 1;
  for (const name of names) {
    const distance = edits(wanted, name);
    if (distance < least) {
      least = distance;
      best = name;
    }
  }
  return best;
}

const MAX_LENGTH = 64;

function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
