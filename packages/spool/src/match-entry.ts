/** Names of entries: `{seq}-{nonce}-{k|x}-{lines}-{bytes}.lines`; `x`: expendable. */
export function matchEntry(name: string): RegExpExecArray | null {
  return /^(\d{13})-[0-9a-f]{12}-([kx])-(\d{1,9})-(\d{1,13})\.lines$/.exec(name);
}
