import { buildWire } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { eventItem, exhaustedItems } from '../src/index.js';

const wire = buildWire({ seq: 4 });
const position = { session: 's1', epoch: 0, seq: 4 };

describe('eventItem', () => {
  it('says how an Event came', () => {
    expect(eventItem(wire, 'new')).toStrictEqual({ type: 'event', event: wire, replaces: false, position });
    expect(eventItem(wire, 'replaces')).toStrictEqual({ type: 'event', event: wire, replaces: true, position });
    expect(eventItem(wire, 'redelivered')).toStrictEqual({ type: 'event', event: wire, replaces: false, redelivered: true, position });
  });

  it('has no position for an Event that has none', () => {
    const command = buildWire({ type: 'control.cancel', seq: undefined });
    expect(eventItem(command, 'new')).toStrictEqual({ type: 'event', event: command, replaces: false });
    expect(eventItem(command, 'redelivered')).toStrictEqual({ type: 'event', event: command, replaces: false, redelivered: true });
  });
});

describe('exhaustedItems', () => {
  it('repeats the words of the endpoint, and tells the gap behind what was asked for', () => {
    const exhausted = { type: 'exhausted', ...position };
    const gap = { type: 'gap', reason: 'exhausted', session: 's1', earliest: { epoch: 0, seq: 4 } };
    expect(exhaustedItems(position, [{ session: 's2', epoch: 3, seq: 3 }])).toStrictEqual([exhausted, gap]);
    expect(exhaustedItems(position, [{ session: 's1', epoch: 0, seq: 1 }])).toStrictEqual([exhausted, { ...gap, after: { epoch: 0, seq: 1 } }]);
  });
});
