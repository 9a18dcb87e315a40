/** One step into a JSON value: a member name or an index. */
export type PathSegment = string | number;

const MAX_PATH_CHARS = 200;
const MAX_NAME_CHARS = 64;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/**
 * Spells a path. Names are the sender's: they are quoted unless they are plain words, cut, and made well-formed, so that a
 * path never holds a line break or half a character.
 */
export function spellPath(segments: readonly PathSegment[]): string {
  let path = '$';
  for (const segment of segments) {
    path += spellSegment(segment);
    if (path.length > MAX_PATH_CHARS) return `${path.slice(0, MAX_PATH_CHARS).toWellFormed()}…`;
  }
  return path;
}

/** The path of a member of the root. */
export function memberPath(name: string): string {
  return `$${spellSegment(name)}`;
}

function spellSegment(segment: PathSegment): string {
  if (typeof segment === 'number') return `[${String(segment)}]`;
  const name = segment.length > MAX_NAME_CHARS ? `${segment.slice(0, MAX_NAME_CHARS)}…` : segment;
  return IDENTIFIER.test(name) ? `.${name}` : `[${JSON.stringify(name.toWellFormed())}]`;
}
