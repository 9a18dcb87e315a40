import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  captureOf, checkExtensions, compareCapture, CORE_ATTRIBUTES, dedupeKey, EnvelopeError, epochOf, isExtensionName, positionOf, severityOf, wireEvent,
  type AepEvent,
} from '../src/index.js';
import { validEvent } from './arbitraries.js';
import { brief, full, minimal, refusal, runs } from './support.js';

/** What an emitting library does with the extensions of a caller. */
function emit(extensions: Record<string, unknown>): string {
  const fault = checkExtensions(extensions);
  if (fault !== undefined) throw new EnvelopeError(fault);
  return wireEvent({ ...minimal.session, ...extensions }).json;
}

describe('isExtensionName', () => {
  it('takes 1 to 20 characters of a-z and 0-9 that spell no core attribute', () => {
    for (const name of ['a', '0', 'acme', 'acmecount2', 'a'.repeat(20)]) expect(isExtensionName(name)).toBe(true);
    for (const name of ['', 'a'.repeat(21), 'Acme', 'a_b', 'a-b', 'a.b', 'é', 'a\n', '__proto__', ...CORE_ATTRIBUTES]) expect(isExtensionName(name)).toBe(false);
  });
});

describe('checkExtensions', () => {
  it('takes strings, integers and booleans [E-052]', () => {
    for (const value of ['', 'x', 0, -1, 1.0, 2 ** 60, 2n ** 80n, true, false]) expect(checkExtensions({ acme: value })).toBeUndefined();
    expect(checkExtensions({})).toBeUndefined();
    expect(checkExtensions(Object.assign(Object.create(null) as object, { acme: 1 }))).toBeUndefined();
  });

  it('refuses each core attribute by name, so that none is overwritten [E-050, E-053]', () => {
    expect(CORE_ATTRIBUTES).toEqual(['aep', 'id', 'type', 'subject', 'time', 'source', 'agent', 'session', 'run', 'step', 'seq', 'epoch', 'cause', 'traceparent', 'severity', 'capture', 'data']);
    for (const name of CORE_ATTRIBUTES) {
      expect(brief(checkExtensions({ [name]: 'x' }))).toBe(`reserved-name $.${name}`);
      expect(refusal(() => emit({ acmefirst: 1, [name]: (full as Record<string, unknown>)[name] })).code).toBe('reserved-name');
    }
  });

  it('refuses an ill-formed name [E-049, E-054]', () => {
    for (const name of ['', 'a'.repeat(21), 'Acme', 'acme_x', 'acme-x', 'acme.x', 'ä', ' acme', 'acme\n', '__proto__', 'hasOwnProperty']) {
      const extensions = Object.defineProperty({}, name, { value: 'x', enumerable: true });
      expect(checkExtensions(extensions)?.code).toBe('invalid-name');
      expect(refusal(() => wireEvent(Object.defineProperty({ ...minimal.session }, name, { value: 'x', enumerable: true }))).code).toBe('invalid-name');
    }
    expect(checkExtensions({ ['a'.repeat(20)]: 'x' })).toBeUndefined();
  });

  it('refuses objects, arrays, null, fractions and everything else [E-055]', () => {
    for (const value of [{}, [], ['x'], null, 1.5, NaN, Infinity, undefined, () => 1, Symbol('x')]) {
      expect(brief(checkExtensions({ acme: value }))).toBe('invalid-extension $.acme');
      expect(brief(refusal(() => wireEvent({ ...minimal.session, acme: value } as unknown as AepEvent)))).toBe('invalid-extension $.acme');
    }
  });

  it('refuses the whole Event for one bad attribute among good ones, with an error for the caller [E-056]', () => {
    for (const bad of [{ seq: 5 }, { acme_x: 1 }, { acmeobj: {} }]) {
      const extensions = { acmeone: 1, ...bad, acmetwo: 2 };
      expect(refusal(() => emit(extensions))).toBeInstanceOf(EnvelopeError);
    }
    expect(emit({ acmeone: 1, acmetwo: 2 })).toContain('"acmeone":1,"acmetwo":2');
  });

  it('refuses half of a surrogate pair, and a map that is no object', () => {
    expect(brief(checkExtensions({ acme: '\ud83d' }))).toBe('lone-surrogate $.acme');
    for (const map of [null, undefined, [], 'x', 1]) expect(brief(checkExtensions(map))).toBe('not-an-object $');
  });
});

describe('extension attributes', () => {
  it('change nothing about how core attributes are read [E-059]', () => {
    fc.assert(
      fc.property(validEvent, (generated) => {
        const event = generated as unknown as AepEvent;
        const bare = Object.fromEntries(Object.entries(event).filter(([name]) => CORE_ATTRIBUTES.includes(name))) as unknown as AepEvent;
        const read = (from: AepEvent): unknown => [positionOf(from), severityOf(from), captureOf(from), epochOf(from), dedupeKey(from), compareCapture(captureOf(from), 'metadata')];
        expect(read(event)).toEqual(read(bare));
        expect(read(wireEvent(event).event)).toEqual(read(wireEvent(bare).event));
      }),
      runs(200),
    );
  });
});
