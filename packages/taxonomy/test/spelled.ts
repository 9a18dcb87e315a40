import fc from 'fast-check';

/** One of many texts of a JSON value: blanks, escapes in names and strings, spellings of numbers. */
export function spelled(value: unknown): fc.Arbitrary<string> {
  return fc.infiniteStream(fc.nat(0xffff)).map((stream) => spell(value, () => stream.next().value as number));
}

function spell(value: unknown, random: () => number): string {
  const blank = (): string => (random() % 4 === 0 ? [' ', '\t', '  '][random() % 3]! : '');
  const join = (parts: string[], open: string, close: string): string => `${open}${parts.length === 0 ? blank() : parts.map((part) => blank() + part + blank()).join(',')}${close}`;
  if (Array.isArray(value)) return join(value.map((element) => spell(element, random)), '[', ']');
  if (typeof value === 'object' && value !== null) {
    return join(Object.entries(value).map(([name, member]) => `${string(name, random)}${blank()}:${blank()}${spell(member, random)}`), '{', '}');
  }
  if (typeof value === 'string') return string(value, random);
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 1e6 && !Object.is(value, -0)) return random() % 3 === 0 ? `${value}.0e0` : String(value);
  return JSON.stringify(value);
}

function string(text: string, random: () => number): string {
  const rare = random() % 3 === 0;
  const units = [...Array(text.length).keys()].map((at) => {
    const escaped = `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`;
    if (rare && random() % 3 === 0) return random() % 2 === 0 ? escaped : escaped.toUpperCase().replace('\\U', '\\u');
    return JSON.stringify(text[at]).slice(1, -1);
  });
  return `"${units.join('')}"`;
}

/** The raw text of every scalar of a JSON text by its path, and of every member name; written without regard for `src`. */
export function rawScalars(text: string): Map<string, string> {
  const found = new Map<string, string>();
  let at = 0;
  const blanks = (): void => {
    while (' \t\n\r'.includes(text[at] ?? '-')) at += 1;
  };
  const scalar = (): string => /^(?:"(?:[^"\\]|\\.)*"|[-+.\w]+)/.exec(text.slice(at))![0];
  const value = (path: string): void => {
    blanks();
    const open = text[at]!;
    if (open !== '{' && open !== '[') {
      const raw = scalar();
      found.set(path, raw);
      at += raw.length;
      return;
    }
    at += 1;
    for (let index = 0; ; index++) {
      blanks();
      if (text[at] === '}' || text[at] === ']') break;
      let name = String(index);
      if (open === '{') {
        const raw = scalar();
        at += raw.length;
        name = JSON.parse(raw) as string;
        found.set(`${path}/${name} name`, raw);
        blanks();
        at += 1;
      }
      value(`${path}/${name}`);
      blanks();
      if (text[at] === ',') at += 1;
    }
    at += 1;
  };
  value('');
  return found;
}
