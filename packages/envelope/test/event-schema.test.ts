import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { CORE_ATTRIBUTES, eventSchema, parseEvent, validateEvent } from '../src/index.js';
import { dateTime, ODD_NAMES, ODD_VALUES, validEvent } from './arbitraries.js';
import { full, minimal, refusal, runs, without, type Loose } from './support.js';

/** RFC 3339 over again, by another road than the one under test: the calendar is that of `Date`. */
function isDateTime(text: string): boolean {
  const parts = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|[+-](\d\d):(\d\d))$/.exec(text);
  if (parts === null) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, zoneHour = 0, zoneMinute = 0] = parts.slice(1).map((part) => Number(part));
  const date = new Date(Date.UTC(2000, month - 1, 1));
  date.setUTCFullYear(year, month - 1, day);
  const real = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  const zone = parts[7] === undefined || (zoneHour < 24 && zoneMinute < 60);
  return real && hour < 24 && minute < 60 && second <= 60 && zone;
}

const ajv = new Ajv2020({ ownProperties: true, strict: true, validateFormats: true, formats: { 'date-time': isDateTime } });
const bySchema = ajv.compile(eventSchema);

/** One verdict from the schema, from the value and from the text. */
function verdicts(event: unknown): { schema: boolean; value: boolean; text: boolean } {
  let text = true;
  const issue = validateEvent(event);
  try {
    parseEvent(JSON.stringify(event));
  } catch {
    text = false;
  }
  return { schema: bySchema(event), value: issue === undefined, text };
}

function expectAgreement(event: unknown): boolean {
  const { schema, value, text } = verdicts(event);
  expect({ value, text }, JSON.stringify(event)).toEqual({ value: schema, text: schema });
  return schema;
}

const set = (event: object, name: string, value: unknown): Loose => {
  const copy: Loose = { ...event };
  // A member called __proto__ has to be a member.
  Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true });
  return copy;
};

describe('eventSchema and validateEvent', () => {
  it('take the same minimal Events', () => {
    for (const event of [...Object.values(minimal), full]) expect(verdicts(event)).toEqual({ schema: true, value: true, text: true });
  });

  it('agree on every odd value of every attribute of every class', () => {
    let valid = 0;
    let invalid = 0;
    for (const event of [...Object.values(minimal), full]) {
      for (const name of [...CORE_ATTRIBUTES, 'acmeext']) {
        for (const value of ODD_VALUES) {
          if (expectAgreement(set(event, name, value))) valid += 1;
          else invalid += 1;
        }
      }
    }
    expect(valid).toBeGreaterThan(1000);
    expect(invalid).toBeGreaterThan(5000);
  });

  it('agree on every missing attribute', () => {
    for (const event of [...Object.values(minimal), full]) {
      for (const name of Object.keys(event)) expectAgreement(without(event, name));
    }
  });

  it('agree on odd names with odd values', () => {
    for (const name of ODD_NAMES) {
      for (const value of ODD_VALUES) expectAgreement(set(minimal.session, name, value));
    }
  });

  it('agree on values that are no objects', () => {
    for (const value of ODD_VALUES) expect(expectAgreement(value)).toBe(false);
  });

  it('agree that generated Events are valid', () => {
    fc.assert(
      fc.property(validEvent, (event) => {
        expect(expectAgreement(event)).toBe(true);
      }),
      runs(300),
    );
  });

  it('agree on generated Events with up to three changes', () => {
    const change = fc.record({
      name: fc.oneof(fc.constantFrom(...CORE_ATTRIBUTES), fc.constantFrom(...ODD_NAMES)),
      value: fc.oneof(fc.constantFrom(...ODD_VALUES), fc.constant(undefined)),
    });
    fc.assert(
      fc.property(validEvent, fc.array(change, { minLength: 1, maxLength: 3 }), (event, changes) => {
        let changed: Loose = event;
        for (const { name, value } of changes) changed = value === undefined ? without(changed, name) : set(changed, name, value);
        expectAgreement(changed);
      }),
      runs(800),
    );
  });

  it('agree on times of the grammar, real days and others', () => {
    fc.assert(
      fc.property(dateTime, (time) => {
        expectAgreement({ ...minimal.agent, time });
      }),
      runs(500),
    );
  });

  it('agree on strings one character away from a valid value', () => {
    const start = { type: 'x.ac-me.control.b_1', time: '2024-02-29T23:59:60.5+01:00', source: 'aep://h/agent/a', traceparent: full.traceparent, session: 's' };
    const edit = fc.record({ at: fc.nat(80), unit: fc.string({ unit: 'binary', minLength: 0, maxLength: 1 }), remove: fc.nat(1) });
    fc.assert(
      fc.property(fc.constantFrom('type', 'time', 'source', 'traceparent'), edit, (name, { at, unit, remove }) => {
        const event: Loose = { ...minimal.vendorCommand, ...start };
        const value = String(event[name]);
        event[name] = value.slice(0, at) + unit + value.slice(at + remove);
        if (JSON.stringify(event).isWellFormed()) expectAgreement(event);
      }),
      runs(1500),
    );
  });

  it('see own properties only', () => {
    const inherited: Loose = Object.create(minimal.session) as Loose;
    expect(bySchema(inherited)).toBe(false);
    expect(validateEvent(inherited)?.code).toBe('missing-attribute');
    for (const name of Object.keys(minimal.session)) {
      const event = without(minimal.session, name);
      Object.setPrototypeOf(event, { [name]: (minimal.session as Loose)[name] });
      expect(bySchema(event)).toBe(false);
      expect(validateEvent(event)?.path).toBe(`$.${name}`);
    }
  });

  it('is plain JSON, closed to changes, with the version in its name', () => {
    expect(JSON.parse(JSON.stringify(eventSchema))).toEqual(eventSchema);
    expect(eventSchema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(eventSchema.$id).toBe('urn:aepkit:schema:event:0.1');
    expect(() => {
      (eventSchema as Loose).type = 'array';
    }).toThrow(TypeError);
    expect(Object.keys(eventSchema.properties as object)).toEqual(CORE_ATTRIBUTES);
  });

  it('refuses a wrong time even where a validator ignores formats', () => {
    const lax = new Ajv2020({ validateFormats: false }).compile(eventSchema);
    expect(lax({ ...minimal.agent, time: 'junk' })).toBe(false);
    expect(lax({ ...minimal.agent, time: '2026-01-01T00:00:00' })).toBe(false);
    expect(lax(minimal.agent)).toBe(true);
  });

  it('parseEvent gives the code and the path that validateEvent gives', () => {
    for (const name of [...CORE_ATTRIBUTES, 'acme_x']) {
      for (const value of ODD_VALUES) {
        const event = set(minimal.session, name, value);
        const issue = validateEvent(event);
        if (issue === undefined) continue;
        const error = refusal(() => parseEvent(JSON.stringify(event)));
        expect({ code: error.code, path: error.path }).toEqual({ code: issue.code, path: issue.path });
      }
    }
  });
});
