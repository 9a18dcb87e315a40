import { describe, expect, it } from 'vitest';

import { isEvent, parseEvent, validateEvent, type AepEvent } from '../src/index.js';
import { brief, full, minimal, refusal, without } from './support.js';

const CONTEXT = ['aep', 'id', 'type', 'subject', 'time', 'source', 'agent', 'session', 'run', 'step', 'seq', 'epoch', 'cause', 'traceparent', 'severity', 'capture', 'data'];

/** The verdict of every door on one object. */
function verdict(event: object): string {
  const issue = brief(validateEvent(event));
  expect(isEvent(event)).toBe(issue === 'valid');
  if (issue === 'valid') parseEvent(JSON.stringify(event));
  else expect(brief(refusal(() => parseEvent(JSON.stringify(event))))).toBe(issue);
  return issue;
}

describe('validateEvent', () => {
  it('takes the smallest Event of each class and one with everything', () => {
    for (const event of [...Object.values(minimal), full]) expect(verdict(event)).toBe('valid');
  });

  it('refuses a missing aep and every other value than the string 0.1 [E-009]', () => {
    expect(verdict(without(full, 'aep'))).toBe('missing-attribute $.aep');
    for (const aep of ['0.2', '1.0', '0.1.0', '', ' 0.1', '0.1 ']) expect(verdict({ ...full, aep })).toBe('unsupported-version $.aep');
    for (const aep of [0.1, null, true, ['0.1'], {}]) expect(verdict({ ...full, aep })).toBe('invalid-attribute $.aep');
  });

  it('names the version first, since by the rules of another the rest may be fine', () => {
    expect(verdict({ odd_name: {}, type: 'new', aep: '0.2' })).toBe('unsupported-version $.aep');
  });

  it('refuses an Event without one of the required attributes [B-176]', () => {
    for (const name of ['id', 'type', 'time', 'source', 'agent']) {
      for (const event of Object.values(minimal)) expect(verdict(without(event, name))).toBe(`missing-attribute $.${name}`);
    }
  });

  it('refuses null for every attribute and for data [E-031]', () => {
    for (const name of CONTEXT) expect(verdict({ ...full, [name]: null })).toMatch(new RegExp(`^invalid-(attribute|type) \\$\\.${name}$`));
    expect(verdict({ ...full, acmeext: null })).toBe('invalid-extension $.acmeext');
  });

  it('refuses the empty string and everything but a string for ids and names', () => {
    for (const name of ['id', 'subject', 'agent', 'session', 'run', 'step', 'cause']) {
      for (const value of ['', 0, 1, true, [], {}, ['x']]) expect(verdict({ ...full, [name]: value })).toBe(`invalid-attribute $.${name}`);
    }
  });

  it('takes any non-empty string for session, run, step and subject [E-121]', () => {
    for (const value of [' ', '../../etc/passwd', 'a/b?c#d', '\u0000', '\n\r', '日本', '😀', '__proto__', 'x'.repeat(5000), '\u202e', '%2F']) {
      expect(verdict({ ...full, session: value, run: value, step: value, subject: value })).toBe('valid');
    }
  });

  it('refuses a time that is no RFC 3339 date-time or has no zone [E-016]', () => {
    for (const time of ['junk', '2026-01-01', '2026-01-01T00:00:00', '2026-01-01 00:00:00Z', '2026-02-30T00:00:00Z', '2026-01-01T24:00:00Z', '', 1767225600]) {
      expect(verdict({ ...full, time })).toBe('invalid-attribute $.time');
    }
  });

  it('refuses a source without a scheme or with blanks or control characters', () => {
    for (const source of ['', 'x', 'not a uri', '/a/b', ':a', '1a:b', 'aep://h/a b', 'a:\n', 'a:\u0000', 'a:\u0085', 'a:\u00a0', 'a:\u2028']) {
      expect(verdict({ ...full, source })).toBe('invalid-attribute $.source');
    }
    for (const source of ['a:', 'urn:uuid:1', 'aep://h/agent/a', 'aep://höst/😀', 'x+y.z-1:?#[]']) expect(verdict({ ...full, source })).toBe('valid');
  });

  it('judges a source anew after a good one', () => {
    for (const source of ['aep://one', 'aep://one', 'aep://o ne', 'aep://one', 'aep://two', '', `a:${'x'.repeat(600)}`, `a:${'x'.repeat(600)} `]) {
      expect(verdict({ ...full, source })).toBe(/^a[a-z]*:\S+$/.test(source) ? 'valid' : 'invalid-attribute $.source');
    }
  });

  it('refuses a traceparent of another shape [E-026]', () => {
    const good = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    // Each of the four parts in turn: too short, in capitals, not hex.
    const parts = ['0a', '0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331', '0b'];
    const spoilt = parts.flatMap((part, at) => [part.slice(1), part.toUpperCase(), `g${part.slice(1)}`].map((other) => parts.with(at, other).join('-')));
    for (const traceparent of [...spoilt, good.toUpperCase(), good.slice(1), `${good}-x`, `${good}\n`, good.replaceAll('-', ''), 'x', '', 1]) {
      expect(verdict({ ...full, traceparent })).toBe('invalid-attribute $.traceparent');
    }
    for (const traceparent of [good, `ff-${'0'.repeat(32)}-${'0'.repeat(16)}-00`]) expect(verdict({ ...full, traceparent })).toBe('valid');
  });

  it('refuses words that are no severity and no capture level', () => {
    for (const value of ['INFO', 'warn', 'fatal', '', 0, true]) expect(verdict({ ...full, severity: value })).toBe('invalid-attribute $.severity');
    for (const value of ['Full', 'all', 'meta', '', 3, false]) expect(verdict({ ...full, capture: value })).toBe('invalid-attribute $.capture');
  });

  it('refuses data that is no object', () => {
    for (const data of [[], '', 'x', 0, true]) expect(verdict({ ...full, data })).toBe('invalid-attribute $.data');
    expect(verdict({ ...full, data: {} })).toBe('valid');
  });

  it('refuses an ordinary session-scoped Event without session or seq [E-035]', () => {
    for (const type of ['tool.completed', 'session.ended', 'x.acme.session.a', 'x.acme.agent.foo', 'control.accepted', 'control.later', 'attention.requested', 'x.acme.foo.control']) {
      const event = { ...minimal.session, type };
      expect(verdict(event)).toBe('valid');
      expect(verdict(without(event, 'session'))).toBe('missing-attribute $.session');
      expect(verdict(without(event, 'seq'))).toBe('missing-attribute $.seq');
    }
  });

  it('refuses an agent.* Event with session, run, step or seq [E-037]', () => {
    for (const [name, value] of Object.entries({ session: 's', run: 'r', step: 'st', seq: 0 })) {
      expect(verdict({ ...minimal.agent, [name]: value })).toBe(`forbidden-attribute $.${name}`);
    }
    expect(verdict({ ...minimal.agent, epoch: 1, subject: 'x', cause: 'y' })).toBe('valid');
  });

  it('refuses commands and attention.routed with seq or without session [E-040]', () => {
    for (const type of ['control.attention.respond', 'control.cancel', 'control.pause', 'control.resume', 'attention.routed', 'x.acme.control.reload', 'x.a-b.control.c.d']) {
      const event = { ...minimal.command, type };
      expect(verdict(event)).toBe('valid');
      expect(verdict({ ...event, run: 'r', step: 'st', epoch: 1 })).toBe('valid');
      expect(verdict({ ...event, seq: 0 })).toBe('forbidden-attribute $.seq');
      expect(verdict(without(event, 'session'))).toBe('missing-attribute $.session');
    }
  });

  it('takes acks only with session and seq, like any sequenced Event [E-041]', () => {
    for (const type of ['control.accepted', 'control.rejected']) {
      expect(verdict({ ...minimal.session, type })).toBe('valid');
      expect(verdict({ ...minimal.command, type })).toBe('missing-attribute $.seq');
    }
  });

  it('refuses ill-formed names and values beside the core attributes [E-060]', () => {
    for (const name of ['', 'Acme', 'acme_x', 'acme-x', 'acme.x', 'é', 'a'.repeat(21), ' ', '__proto__', 'acme\n']) {
      const event = Object.defineProperty({ ...full }, name, { value: 1, enumerable: true });
      expect(verdict(event)).toMatch(/^invalid-name /);
    }
    for (const value of [null, 1.5, -0.1, [], {}, ['a'], { a: 1 }]) expect(verdict({ ...full, acmeext: value })).toBe('invalid-extension $.acmeext');
    for (const value of ['', 'x', 0, -7, 7.0, 1e3, 1e300, true, false]) expect(verdict({ ...full, ['a'.repeat(20)]: value, 0: value })).toBe('valid');
  });

  it('takes a bigint only as an extension', () => {
    expect(validateEvent({ ...full, acmebig: 2n ** 70n })).toBeUndefined();
    expect(brief(validateEvent({ ...full, seq: 1n }))).toBe('unsafe-integer $.seq');
    expect(brief(validateEvent({ ...full, epoch: -1n }))).toBe('invalid-attribute $.epoch');
    expect(brief(validateEvent({ ...full, id: 1n }))).toBe('invalid-attribute $.id');
  });

  it('sees own properties only, whatever Object.prototype has been given', () => {
    const pollution = { session: 's', seq: 5, severity: 'loud', acme_bad: {}, aep: '0.1' };
    Object.assign(Object.prototype, pollution);
    try {
      expect(brief(validateEvent(JSON.parse(JSON.stringify(minimal.session))))).toBe('valid');
      expect(brief(validateEvent(JSON.parse(JSON.stringify(minimal.agent))))).toBe('valid');
      expect(brief(validateEvent(without(minimal.session, 'seq')))).toBe('missing-attribute $.seq');
      expect(brief(validateEvent(without(minimal.session, 'aep')))).toBe('missing-attribute $.aep');
    } finally {
      for (const name of Object.keys(pollution)) Reflect.deleteProperty(Object.prototype, name);
    }
    expect(brief(validateEvent(Object.create(full)))).toBe('missing-attribute $.aep');
  });

  it('takes objects without a prototype', () => {
    const bare = Object.assign(Object.create(null) as AepEvent, full);
    expect(validateEvent(bare)).toBeUndefined();
  });

  it('counts a core attribute that is undefined as absent, and no extension', () => {
    expect(validateEvent({ ...minimal.agent, session: undefined, severity: undefined })).toBeUndefined();
    expect(brief(validateEvent({ ...minimal.session, seq: undefined }))).toBe('missing-attribute $.seq');
    expect(brief(validateEvent({ ...minimal.session, aep: undefined }))).toBe('missing-attribute $.aep');
    expect(brief(validateEvent({ ...minimal.session, acmeext: undefined }))).toBe('invalid-extension $.acmeext');
  });

  it('looks for lone surrogates and depth in a value as parseEvent does in a text', () => {
    expect(brief(validateEvent({ ...full, subject: '\ud83d' }))).toBe('lone-surrogate $.subject');
    expect(brief(validateEvent({ ...full, data: { a: [{ '\ude00': 1 }] } }))).toBe('lone-surrogate $.data.a[0]["\ufffd"]');
    const nest = (levels: number): object => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) as object;
    expect(verdict({ ...full, data: nest(63) })).toBe('valid');
    expect(verdict({ ...full, data: nest(64) })).toMatch(/^too-deep \$\.data\.a/);
    expect(validateEvent({ ...full, data: nest(64) }, { maxDepth: 65 })).toBeUndefined();
    expect(brief(validateEvent({ ...full, data: nest(65) }, { maxDepth: 65 }))).toMatch(/^too-deep /);
    expect(validateEvent({ ...full, data: nest(3000) }, { maxDepth: Infinity })).toBeUndefined();
  });

  it('refuses a value that holds itself', () => {
    const data: Record<string, unknown> = {};
    data.self = { again: [data] };
    expect(brief(validateEvent({ ...full, data }))).toBe('not-json $.data.self.again[0]');
  });

  it('tells the section that sets the rule', () => {
    expect(validateEvent([])?.section).toBe('AEP-0001 §5');
    expect(validateEvent({ ...full, type: 'tool' })?.section).toBe('AEP-0001 §6');
    expect(validateEvent({ ...full, acme_x: 1 })?.section).toBe('AEP-0001 §5.4');
    expect(validateEvent({ ...minimal.agent, seq: 1 })?.section).toBe('AEP-0001 §5.2');
    expect(validateEvent({ ...full, seq: 2 ** 53 })).toEqual({
      code: 'unsafe-integer',
      path: '$.seq',
      section: 'AEP-0001 §7.1',
      message: '$.seq: beyond 2^53-1 (AEP-0001 §7.1)',
    });
  });
});
