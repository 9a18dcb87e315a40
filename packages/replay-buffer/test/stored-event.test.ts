import { headOf } from '@aepkit/envelope';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ReplayBuffer } from '../src/index.js';
import { TypeNames } from '../src/type-names.js';
import { command, wire } from './events.js';

it('brings the head along that its text says, parsed or not', () => {
  const members = fc.record({
    session: fc.constantFrom('s', 't', 'größe'),
    seq: fc.nat(30),
    epoch: fc.option(fc.nat(2), { nil: undefined }),
    type: fc.constantFrom('tool.completed', 'run.started', 'x.acme.session.synced'),
    data: fc.constantFrom(undefined, { text: '漢字 …' }, { seq: 99, type: 'nested' }),
  });
  fc.assert(
    fc.property(fc.array(members, { maxLength: 30 }), fc.boolean(), (list, copy) => {
      const buffer = new ReplayBuffer({ perSession: 10, copy });
      for (const [at, each] of list.entries()) {
        buffer.admit(wire(each));
        if (at % 5 === 4) buffer.admit(command({ session: each.session }));
      }
      for (const from of ['all', { after: 0 }] as const) {
        let events = 0;
        try {
          for (const chunk of buffer.replay(from, buffer.order)) {
            for (const step of chunk) {
              if (step.type !== 'event') continue;
              const { event, json } = step.event;
              expect(headOf(step.event)).toEqual(headOf({ event: JSON.parse(json) as typeof event, json }));
              expect(event).toEqual(JSON.parse(json));
              events += 1;
            }
          }
          expect(events).toBe(buffer.stats().events);
        } catch (error) {
          expect(error).toMatchObject({ code: 'replay-evicted' });
        }
      }
    }),
  );
});

it('keeps one text per type, of so many types and no longer ones', () => {
  const names = new TypeNames();
  const first = names.of('x.acme.a.b');
  expect(names.of(['x', 'acme', 'a', 'b'].join('.'))).toBe(first);
  expect(names.of(`x.acme.${'a'.repeat(300)}.b`)).toBeUndefined();
  for (let at = 1; at < 1_000; at += 1) expect(names.of(`x.acme.a.b${at}`)).toBe(`x.acme.a.b${at}`);
  expect(names.of('x.acme.a.other')).toBeUndefined();
  expect(names.of('x.acme.a.b')).toBe('x.acme.a.b');
});

it('still serves Events of more types than it keeps', () => {
  const buffer = new ReplayBuffer({});
  for (let seq = 0; seq < 1_100; seq += 1) buffer.admit(wire({ seq, type: `x.acme.a.b${seq}` }));
  const types = [...buffer.replay('all', buffer.order)].flat().flatMap((step) => (step.type === 'event' ? headOf(step.event).type : []));
  expect(types).toEqual(Array.from({ length: 1_100 }, (_, seq) => `x.acme.a.b${seq}`));
});
