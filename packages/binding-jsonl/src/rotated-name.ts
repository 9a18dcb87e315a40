/** Names of files that are no log any more but packed ones; a follower cannot read them. */
const PACKED = /\.(?:gz|bz2|xz|zst|lz4|br|zip|tgz)$/i;

/**
 * Path that a rotated file gets: `{path}.{time}-{suffix}`, where the time is UTC, so that names sort by age. The suffix makes
 * it unique, since a rename replaces what is there.
 */
export function rotatedPath(path: string, nowMs: number, suffix: string): string {
  const stamp = new Date(nowMs).toISOString().replaceAll(/[-:.]/g, '');
  return `${path}.${stamp}-${suffix}`;
}

/**
 * Whether a name may be that of a rotated file: it begins with the name of the log and a dot or a hyphen, is no log itself
 * and not packed. Fits {@link rotatedPath} and what rotating programs do by default (`log.1`, `log-20260131`).
 */
export function isRotatedName(name: string, base: string): boolean {
  if (name.length <= base.length || !name.startsWith(base)) return false;
  const next = name.charAt(base.length);
  return (next === '.' || next === '-') && !name.endsWith('.jsonl') && !PACKED.test(name);
}
