import { parseEvent, parseJson } from '@aepkit/envelope';
import { buildWire } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { outcomeJson } from '../../src/control/outcome-text.js';
import { exactJson } from '../../src/exact-json.js';

const BIG = '123456789012345678901';

describe('what is printed for programs', () => {
  it('has the ack of an agent in it, whatever integers that holds', () => {
    const { event: ack } = parseEvent(buildWire({ type: 'control.accepted', cause: 'c1', data: undefined }).json.replace(/\}$/, `,"acmecount":${BIG}}`));
    expect(outcomeJson('c1', 's1', { type: 'accepted', ack })).toMatch(new RegExp(`^\\{"command":"c1","session":"s1","result":"accepted","ack":\\{.*"acmecount":${BIG}\\}\\}$`));
  });

  it('has what an agent declares in the roster in it, as it was written', () => {
    const entry = `{"session":"s1","control":{"accepts":[],"ack_window_ms":${BIG}},"emits":[1.5,-${BIG},null]}`;
    expect(exactJson(parseJson(entry, { bigints: true }) as object)).toBe(entry);
  });
});
