import { describe, expect, it } from 'vitest';

import { acceptsOf, ackWindowOf, DEFAULT_ACK_WINDOW_MS } from '../src/index.js';

describe('acceptsOf', () => {
  it('gives the declared types, and undefined where none are declared', () => {
    expect(acceptsOf({ control: { accepts: ['control.pause', 3, 'x'] } })).toEqual(new Set(['control.pause', 'x']));
    for (const none of [undefined, null, 7, 'x', [], {}, { control: null }, { control: { accepts: {} } }, Object.create({ control: { accepts: [] } })]) {
      expect(acceptsOf(none)).toBeUndefined();
    }
  });
});

describe('ackWindowOf', () => {
  it('gives the declared window, and the default for what makes no sense', () => {
    expect(ackWindowOf({ ack_window_ms: 250 })).toBe(250);
    for (const bad of [undefined, {}, { ack_window_ms: '5' }, { ack_window_ms: 0 }, { ack_window_ms: -1 }, { ack_window_ms: Infinity }, { ack_window_ms: NaN }]) {
      expect(ackWindowOf(bad)).toBe(DEFAULT_ACK_WINDOW_MS);
    }
  });
});
