import fc from 'fast-check';
import type { AepEvent } from '@aepkit/envelope';
import { event } from './event.js';

// Small vocabularies, so that random filters and random Events meet often.
const words = fc.constantFrom('a', 'b', 'c', '1', 'true', 'info', 'constructor');
const types = fc.constantFrom('run.started', 'run.step.started', 'run.step.finished', 'tool.denied', 'x.acme.run.started', 'x.acme-2.run.a', 'agent.idle');
const patterns = fc.constantFrom('run.*', 'run.step.*', 'x.*', 'x.acme.*', 'x.acme-2.run.*', 'tool.*', 'run.step.started.*');
const severities = fc.constantFrom('debug', 'info', 'notice', 'warning', 'error', 'critical');
const captures = fc.constantFrom('none', 'metadata', 'redacted', 'full');
const scalars = fc.oneof(words, fc.integer({ min: -1, max: 2 }), fc.boolean(), fc.constantFrom(9007199254740992n, 9007199254740993n, -(2n ** 70n)));
const extensions = ['acmea', 'acmeb', 'acmec', 'acmed', 'constructor', 'valueof', 'a1', 'a2', 'a3', 'a4', 'a5'];

function anyOf<V>(value: fc.Arbitrary<V>): fc.Arbitrary<V | V[]> {
  return fc.oneof(value, fc.array(value, { minLength: 1, maxLength: 4 }));
}

const band = fc
  .record({ gte: severities, lte: severities }, { requiredKeys: [] })
  .filter((range) => Object.keys(range).length > 0);

/** A legal filter. */
export const filterArbitrary: fc.Arbitrary<Record<string, unknown>> = fc.record(
  {
    id: anyOf(words),
    type: anyOf(fc.oneof(types, patterns)),
    subject: anyOf(words),
    source: anyOf(words),
    agent: anyOf(fc.oneof(words, scalars)),
    session: anyOf(words),
    run: anyOf(words),
    step: anyOf(words),
    epoch: anyOf(scalars),
    cause: anyOf(words),
    severity: fc.oneof(anyOf(fc.oneof(severities, scalars)), band),
    capture: anyOf(fc.oneof(captures, scalars)),
    ...Object.fromEntries(extensions.map((name) => [name, anyOf(scalars)])),
  },
  { requiredKeys: [] },
).chain((all) => fc.subarray(Object.keys(all), { maxLength: 3 }).map((keys) => Object.fromEntries(keys.map((key) => [key, (all as Record<string, unknown>)[key]]))));

/** An Event, valid or nearly: attributes may have types that the envelope would refuse. */
export const eventArbitrary: fc.Arbitrary<AepEvent> = fc
  .record(
    {
      id: words,
      type: types,
      subject: words,
      source: words,
      agent: fc.oneof(words, scalars),
      session: words,
      run: words,
      step: words,
      epoch: fc.integer({ min: 0, max: 2 }),
      cause: words,
      severity: severities,
      capture: captures,
      ...Object.fromEntries(extensions.map((name) => [name, scalars])),
    },
    { requiredKeys: ['id', 'type', 'source', 'agent'] },
  )
  .map(event);
