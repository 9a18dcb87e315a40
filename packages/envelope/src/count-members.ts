/** Levels a recursive walk goes down at most; deeper values are left to an iterative one. */
const WALK_DEPTH = 256;

/** How far a recursive walk may go under a limit. */
export function walkDepth(maxDepth: number): number {
  return Math.min(maxDepth, WALK_DEPTH);
}

/** Members in a value, all levels taken together; NaN if it has more levels than `room`. Own properties only. */
export function countMembers(value: object, room: number): number {
  if (room <= 0) return Number.NaN;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) {
      if (typeof item === 'object' && item !== null) count += countMembers(item, room - 1);
    }
    return count;
  }
  for (const name in value) {
    // A property of a polluted Object.prototype counted here would stand in for a member that was lost.
    if (!Object.prototype.hasOwnProperty.call(value, name)) continue;
    count += 1;
    const item = (value as Record<string, unknown>)[name];
    if (typeof item === 'object' && item !== null) count += countMembers(item, room - 1);
  }
  return count;
}
