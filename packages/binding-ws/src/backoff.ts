/** How long to wait before an attempt, in milliseconds: doubling from `min` to `max`, the upper half of it by chance. */
export function backoff(attempt: number, min: number, max: number, random: () => number): number {
  const ceiling = Math.min(max, min * 2 ** Math.min(attempt, 30));
  return Math.round(ceiling / 2 + (ceiling / 2) * random());
}
