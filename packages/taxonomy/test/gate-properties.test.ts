import { parseEvent, type Capture, type WireEvent } from '@aepkit/envelope';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { gate, payloadSchemas } from '../src/index.js';
import { event, TYPES } from './events.js';
import { followsSchema, likeSchema } from './like-schema.js';
import { lowerPlainly } from './oracle.js';
import { rawScalars, spelled } from './spelled.js';

const LEVELS = ['none', 'metadata', 'redacted', 'full'] as const;
const RUNS = { numRuns: 600 };

const vendor = fc.dictionary(fc.constantFrom('x_note', 'capture', 'data', 'label', '__proto__'), fc.constantFrom<unknown>(1, 'text', { a: ['b'] }, [], null), { maxKeys: 2 });

/** Events of every kind in any spelling; `member` makes the members of payloads. */
function wires(member: typeof likeSchema): fc.Arbitrary<WireEvent> {
  const payload = (type: string): fc.Arbitrary<unknown> => {
    const schema = Object.hasOwn(payloadSchemas, type) ? payloadSchemas[type as keyof typeof payloadSchemas] : undefined;
    const known = schema === undefined ? fc.constant({ any: 'thing' }) : followsSchema(schema, member);
    return fc.tuple(known, vendor, fc.boolean()).map(([data, extra, first]) => Object.fromEntries(first ? [...Object.entries(extra), ...Object.entries(data as object)] : [...Object.entries(data as object), ...Object.entries(extra)]));
  };
  return fc
    .record({
      type: fc.constantFrom(...TYPES, 'x.acme.session.synced', 'tool.exploded', 'attention.requested', 'attention.answered'),
      capture: fc.constantFrom<Capture | undefined>(...LEVELS, undefined, 'full', 'redacted'),
      subject: fc.option(fc.string({ minLength: 1 }), { nil: undefined }),
      note: fc.constantFrom<string | undefined>('x', undefined),
      withData: fc.constantFrom(true, true, true, false),
    })
    .chain(({ type, capture, subject, note, withData }) =>
      (withData ? payload(type) : fc.constant(undefined)).chain((data) => {
        const made = event(type, { capture, subject, xnote: note });
        return spelled(data === undefined ? made : { ...made, data });
      }),
    )
    .map((text) => parseEvent(text));
}

const ceiling = fc.constantFrom(...LEVELS);

describe('gate, on any Event', () => {
  it('gives what the annotations say, told in another way [T-028, T-031, T-032, T-033, B-139, B-145]', () => {
    fc.assert(
      fc.property(wires(likeSchema), ceiling, (wire, level) => {
        expect(gate(wire, level).event).toEqual(lowerPlainly(wire.event, level));
      }),
      RUNS,
    );
  });

  it('gives a text that says what the Event says', () => {
    fc.assert(
      fc.property(wires(likeSchema), ceiling, (wire, level) => {
        const gated = gate(wire, level);
        expect(JSON.parse(gated.json)).toEqual(gated.event);
        expect(parseEvent(gated.json)).toEqual(gated);
      }),
      RUNS,
    );
  });

  it('gives the same object or another text', () => {
    fc.assert(
      fc.property(wires(likeSchema), ceiling, (wire, level) => {
        const gated = gate(wire, level);
        expect(gated === wire).toBe(gated.json === wire.json);
      }),
      RUNS,
    );
  });

  it('leaves the text of everything that stays as it was, to the character [B-210]', () => {
    fc.assert(
      fc.property(wires(followsSchema), ceiling, (wire, level) => {
        const before = rawScalars(wire.json);
        const after = rawScalars(gate(wire, level).json);
        for (const [path, raw] of after) {
          const replaced = path === '/capture' || /\/data\/(prompt|(options|fields)\/.*label)$/.test(path) || (path === '/capture name' && !before.has(path));
          if (!replaced) expect([path, raw]).toEqual([path, before.get(path)]);
        }
      }),
      RUNS,
    );
  });

  it('changes no attribute but capture, and never raises that [E-003, E-058, E-099, B-005, B-140]', () => {
    fc.assert(
      fc.property(wires(likeSchema), ceiling, (wire, level) => {
        const { data: _before, capture: from = 'metadata', ...attributes } = wire.event;
        const { data: _after, capture: to = 'metadata', ...left } = gate(wire, level).event;
        expect(left).toEqual(attributes);
        expect(LEVELS.indexOf(to)).toBeLessThanOrEqual(LEVELS.indexOf(from));
        expect(LEVELS.indexOf(to)).toBeLessThanOrEqual(LEVELS.indexOf(level));
      }),
      RUNS,
    );
  });

  it('lowers nothing further the second time', () => {
    fc.assert(
      fc.property(wires(likeSchema), ceiling, (wire, level) => {
        const once = gate(wire, level);
        expect(gate(once, level)).toBe(once);
      }),
      RUNS,
    );
  });

  it('gives one text over any number of hops, where full under redacted lands on metadata [B-142]', () => {
    fc.assert(
      fc.property(wires(likeSchema), ceiling, ceiling, (wire, first, second) => {
        const low = LEVELS.indexOf(first) < LEVELS.indexOf(second) ? first : second;
        const landsLower = wire.event.capture === 'full' && low === 'redacted';
        expect(gate(gate(wire, first), second).json).toBe(gate(wire, landsLower ? 'metadata' : low).json);
      }),
      RUNS,
    );
  });
});
