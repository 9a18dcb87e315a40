/**
 * Whether two JSON texts are the same value: order of members and white space do not count, and numbers are compared by
 * their exact decimal value, so that one that was rounded on its way is another.
 */
export function sameJson(a: string, b: string): boolean {
  return normalText(a) === normalText(b);
}

type Reviver = (this: unknown, name: string, value: unknown, context: { readonly source?: string }) => unknown;

function normalText(text: string): string {
  const exact: Reviver = (_name, value, { source = '' }) => (typeof value === 'number' ? { [NUMBER]: exactDecimal(source) } : value);
  return written(JSON.parse(text, exact as (this: unknown, name: string, value: unknown) => unknown));
}

const NUMBER = Symbol('number');

function written(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (NUMBER in value) return value[NUMBER] as string;
  const members = Object.entries(value).sort(([x], [y]) => (x < y ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${written(member)}`).join(',')}}`;
}

/** One spelling for each decimal value: significant digits and a power of ten. */
function exactDecimal(token: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token) ?? [];
  const all = (whole + fraction).replace(/^0+/, '');
  const digits = all.replace(/0+$/, '');
  return digits === '' ? '0' : `${sign}${digits}e${Number(power) - fraction.length + (all.length - digits.length)}`;
}
