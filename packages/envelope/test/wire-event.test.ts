import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createId, parseEvent, wireEvent, type AepEvent } from '../src/index.js';
import { ODD_NAMES, ODD_VALUES, validEvent } from './arbitraries.js';
import { brief, full, minimal, refusal, runs, without, type Loose } from './support.js';

const emit = (event: object): string => {
  try {
    return wireEvent(event as AepEvent).json;
  } catch (error) {
    return brief(error as Parameters<typeof brief>[0]);
  }
};

describe('wireEvent', () => {
  it('writes one RFC 8259 object on one line that UTF-8 can carry [E-005]', () => {
    fc.assert(
      fc.property(validEvent, (event) => {
        const { json } = wireEvent(event as unknown as AepEvent);
        expect(json).not.toMatch(/[\r\n]/);
        expect(json.startsWith('{') && json.endsWith('}')).toBe(true);
        const bytes = new TextEncoder().encode(json);
        expect(new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toBe(json);
        expect(parseEvent(bytes).json).toBe(json);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(event)));
      }),
      runs(300),
    );
  });

  it('lets nothing out that the envelope rules refuse [E-111]', () => {
    for (const event of Object.values(minimal)) {
      for (const name of [...Object.keys(full), ...ODD_NAMES]) {
        for (const value of ODD_VALUES) {
          const changed = Object.defineProperty({ ...event }, name, { value, enumerable: true, configurable: true, writable: true });
          const left = emit(changed);
          if (left.startsWith('{')) expect(parseEvent(left).json).toBe(left);
          else expect(left).toMatch(/^[a-z0-9-]+ \$/);
        }
      }
    }
  });

  it('refuses an Event without aep or with another version [E-008]', () => {
    expect(emit(without(full, 'aep'))).toBe('missing-attribute $.aep');
    expect(emit({ ...full, aep: '0.2' })).toBe('unsupported-version $.aep');
  });

  it('refuses an empty id, and ids from createId never repeat [E-010]', () => {
    expect(emit({ ...full, id: '' })).toBe('invalid-attribute $.id');
    expect(emit(without(full, 'id'))).toBe('missing-attribute $.id');
    expect(new Set(Array.from({ length: 20_000 }, () => createId())).size).toBe(20_000);
  });

  it('refuses a type outside the two grammars [E-012, E-061, E-063]', () => {
    for (const type of ['tool', 'banana.peeled', 'tool.Completed', 'tool.some-thing', 'tool.a.', 'x.acme.foo', 'x.acme.a-b.c', 'X.acme.a.b', 'x.Acme.a.b', 'x..a.b', '']) {
      expect(emit({ ...full, type })).toBe('invalid-type $.type');
    }
    expect(emit(without(full, 'type'))).toBe('missing-attribute $.type');
    for (const type of ['tool.completed', 'run.step.started', 'x.claude-code.session.config_change']) expect(emit({ ...full, type })).toContain(type);
  });

  it('refuses a type with a reverse-DNS root [E-066]', () => {
    for (const type of ['dev.aep.tool.completed', 'org.example.tool.completed', 'aep.tool.completed']) expect(emit({ ...full, type })).toBe('invalid-type $.type');
  });

  it('refuses a time that is missing or no RFC 3339 timestamp with a zone [E-015]', () => {
    expect(emit(without(full, 'time'))).toBe('missing-attribute $.time');
    for (const time of ['2026-01-01T00:00:00', 'now', '']) expect(emit({ ...full, time })).toBe('invalid-attribute $.time');
  });

  it('refuses a source that is missing or no URI [E-017]', () => {
    expect(emit(without(full, 'source'))).toBe('missing-attribute $.source');
    for (const source of ['', 'laptop', 'a b:c']) expect(emit({ ...full, source })).toBe('invalid-attribute $.source');
  });

  it('refuses an agent that is missing or empty', () => {
    expect(emit(without(full, 'agent'))).toBe('missing-attribute $.agent');
    expect(emit({ ...full, agent: '' })).toBe('invalid-attribute $.agent');
  });

  it('takes subject, run and step as any non-empty string [E-013, E-021]', () => {
    const { event } = wireEvent({ ...minimal.session, subject: 'file:///a', run: 'r/1', step: '…' });
    expect(event).toMatchObject({ subject: 'file:///a', run: 'r/1', step: '…' });
    expect(emit({ ...minimal.session, step: '' })).toBe('invalid-attribute $.step');
  });

  it('refuses seq and epoch that are no integers of 0 or more [E-022]', () => {
    for (const name of ['seq', 'epoch']) {
      for (const value of [-1, 0.5, '1', true, NaN, Infinity]) expect(emit({ ...full, [name]: value })).toBe(`invalid-attribute $.${name}`);
      expect(emit({ ...full, [name]: 2 ** 53 })).toBe(`unsafe-integer $.${name}`);
    }
  });

  it('refuses a traceparent of another shape and keeps a good one verbatim [E-025]', () => {
    expect(wireEvent(full).event.traceparent).toBe(full.traceparent);
    expect(emit({ ...full, traceparent: String(full.traceparent).toUpperCase() })).toBe('invalid-attribute $.traceparent');
  });

  it('refuses words outside the two lists [E-027, E-028]', () => {
    expect(emit({ ...full, severity: 'fatal' })).toBe('invalid-attribute $.severity');
    expect(emit({ ...full, capture: 'all' })).toBe('invalid-attribute $.capture');
  });

  it('refuses data that is null, an array or a scalar [E-029]', () => {
    for (const data of [null, [], 'x', 1, true]) expect(emit({ ...full, data })).toBe('invalid-attribute $.data');
  });

  it('leaves out what has no value and never writes null for it [E-030]', () => {
    const { event, json } = wireEvent({ ...minimal.session, subject: undefined, data: { kept: null, dropped: undefined } } as unknown as AepEvent);
    expect(json).not.toContain('subject');
    expect(event.data).toEqual({ kept: null });
    for (const name of Object.keys(full)) expect(emit({ ...full, [name]: null })).toMatch(/^invalid-/);
  });

  it('fills nothing in', () => {
    expect(wireEvent(minimal.session).event).toEqual(minimal.session);
  });

  it('refuses an ordinary Event without session and seq [E-034]', () => {
    expect(emit(without(minimal.session, 'seq'))).toBe('missing-attribute $.seq');
    expect(emit(without(minimal.session, 'session'))).toBe('missing-attribute $.session');
  });

  it('refuses session, run, step and seq on agent.* [E-036]', () => {
    for (const [name, value] of Object.entries({ session: 's', run: 'r', step: 'st', seq: 0 })) {
      expect(emit({ ...minimal.agent, [name]: value })).toBe(`forbidden-attribute $.${name}`);
    }
  });

  it('refuses commands without session or with seq, which only the owner gives [E-039, E-044]', () => {
    for (const type of ['control.attention.respond', 'control.cancel', 'control.pause', 'control.resume', 'x.acme.control.reload']) {
      expect(emit({ ...minimal.command, type })).toContain(type);
      expect(emit({ ...without(minimal.command, 'session'), type })).toBe('missing-attribute $.session');
      expect(emit({ ...minimal.command, type, seq: 0 })).toBe('forbidden-attribute $.seq');
    }
    expect(emit({ ...minimal.routed, seq: 0 })).toBe('forbidden-attribute $.seq');
  });

  it('takes well-formed extension attributes and writes a bigint digit by digit [E-048]', () => {
    const { event, json } = wireEvent({ ...minimal.session, acmenode: 'n', acmebig: 2n ** 63n, acmeneg: -(2n ** 70n), acmeflag: false });
    expect(json).toContain('"acmebig":9223372036854775808,"acmeneg":-1180591620717411303424');
    expect(event).toMatchObject({ acmenode: 'n', acmebig: 2n ** 63n, acmeneg: -(2n ** 70n), acmeflag: false });
    expect(parseEvent(json)).toEqual({ event, json });
  });

  it('refuses a value without a JSON form, or with another one than it shows', () => {
    const cyclic: Loose = {};
    cyclic.again = cyclic;
    const cases: readonly (readonly [unknown, string])[] = [
      [{ a: NaN }, 'not-json $.data.a'],
      [{ a: [Infinity] }, 'not-json $.data.a[0]'],
      [{ a: [undefined] }, 'not-json $.data.a[0]'],
      [{ a: 1n }, 'not-json $.data.a'],
      [{ a: () => 1 }, 'not-json $.data.a'],
      [{ a: Symbol('x') }, 'not-json $.data.a'],
      [{ a: new Date(0) }, 'not-json $.data.a'],
      [{ a: new Map([['b', 1]]) }, 'not-json $.data.a'],
      [{ a: new Uint8Array(2) }, 'not-json $.data.a'],
      [{ toJSON: () => ({ b: 1 }) }, 'not-json $.data'],
      [cyclic, 'not-json $.data.again'],
      [{ a: '\ud83d' }, 'lone-surrogate $.data.a'],
      [{ '\ud83d': 1 }, 'lone-surrogate $.data["\ufffd"]'],
    ];
    for (const [data, outcome] of cases) expect(emit({ ...full, data })).toBe(outcome);
    expect(emit({ ...full, subject: '\ud83d' })).toBe('lone-surrogate $.subject');
    expect(emit({ ...full, acmenote: '\ude00' })).toBe('lone-surrogate $.acmenote');
  });

  it('refuses more levels and more bytes than the limits, as a receiver would', () => {
    const nested = { ...full, data: { a: { b: { c: 1 } } } };
    expect(wireEvent(nested, { maxDepth: 4 }).event).toEqual(nested);
    expect(brief(refusal(() => wireEvent(nested, { maxDepth: 3 })))).toBe('too-deep $.data.a.b');
    const { json } = wireEvent(full);
    expect(wireEvent(full, { maxBytes: json.length }).json).toBe(json);
    expect(refusal(() => wireEvent(full, { maxBytes: json.length - 1 })).code).toBe('too-large');
  });

  it('gives an Event of its own, which later changes of the object do not reach', () => {
    const data = { count: 1 };
    const wire = wireEvent({ ...minimal.session, data });
    data.count = 2;
    expect(wire.event.data).toEqual({ count: 1 });
    expect(wire.json).toContain('"count":1');
  });

  it('writes __proto__ inside data as a member', () => {
    const data = JSON.parse('{"__proto__":{"x":1}}') as NonNullable<AepEvent['data']>;
    expect(wireEvent({ ...minimal.session, data }).json).toContain('"data":{"__proto__":{"x":1}}');
  });
});
