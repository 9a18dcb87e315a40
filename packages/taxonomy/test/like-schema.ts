import fc from 'fast-check';

import type { PayloadSchema } from '../src/index.js';

const ODD = [null, 5, -1, 1.5, 'text', '', true, [], {}, ['x'], [['x']], { id: 'x' }, [{ content: 'deep' }]] as const;

/** Values that mostly follow a schema, and here and there do not. */
export function likeSchema(schema: PayloadSchema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 9, arbitrary: followsSchema(schema, likeSchema) }, { weight: 1, arbitrary: fc.constantFrom<unknown>(...ODD) });
}

/** Values of the type of a schema; their members come from `member`. */
export function followsSchema(schema: PayloadSchema, member: (schema: PayloadSchema) => fc.Arbitrary<unknown> = (inner) => followsSchema(inner)): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (typeof schema.type === 'string' ? schema.type : 'string') {
    case 'object': {
      const members = Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, member(inner)]));
      const known = fc.record(members, { requiredKeys: [] });
      return Object.keys(members).length > 0 ? known : fc.dictionary(fc.constantFrom('a', 'f1', 'content', '__proto__', 'constructor'), fc.constantFrom<unknown>(1, true, 'text', ['x'], null, { a: 1 }));
    }
    case 'array':
      return fc.array(member(schema.items!), { maxLength: 3 });
    case 'integer':
      return fc.oneof(fc.nat(), fc.integer());
    case 'number':
      return fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(0, 100, 101, -1));
    case 'boolean':
      return fc.boolean();
    default:
      return fc.oneof(fc.string(), fc.constantFrom('2026-01-01T00:00:00Z', 'select', 'a"b\\c{}[],:', 'é\u2028\n'));
  }
}
