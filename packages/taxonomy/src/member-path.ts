const MAX_NAME_CHARS = 64;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** The path of a member: names that are no plain words are quoted, long ones cut; never a line break, never half a character. */
export function memberPath(path: string, name: string): string {
  if (IDENTIFIER.test(name) && name.length <= MAX_NAME_CHARS) return `${path}.${name}`;
  const short = name.length > MAX_NAME_CHARS ? `${name.slice(0, MAX_NAME_CHARS)}…` : name;
  return `${path}[${JSON.stringify(short.toWellFormed())}]`;
}
