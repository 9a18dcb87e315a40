import { describe, expect, it } from 'vitest';

import { readLastEventId } from '../src/last-event-id.js';

const latin1 = (text: string) => Buffer.from(text).toString('latin1');

describe('readLastEventId', () => {
  it('reads a position from the right [B-042]', () => {
    expect(readLastEventId('a:b:c:3:17')).toEqual({ session: 'a:b:c', epoch: 3, seq: 17 });
  });

  it.each(['é', '日本 🙂', '\ufeffx', 'a\u2028b', '\u00a0'])('decodes the UTF-8 of the session %j that a header brought as Latin-1', (session) => {
    expect(readLastEventId(latin1(`${session}:0:1`))).toEqual({ session, epoch: 0, seq: 1 });
  });

  it('takes a value that is no UTF-8, or is decoded already, as it is', () => {
    expect(readLastEventId('\u00e9:0:1')).toEqual({ session: 'é', epoch: 0, seq: 1 });
    expect(readLastEventId('日\u00e9:0:1')).toEqual({ session: '日é', epoch: 0, seq: 1 });
  });

  it('tells an absent header from a malformed one', () => {
    expect(readLastEventId(undefined)).toBeUndefined();
    expect(readLastEventId('')).toBeUndefined();
    expect(readLastEventId('nonsense')).toBe('malformed');
    expect(readLastEventId('s:0')).toBe('malformed');
    expect(readLastEventId('s:0:99999999999999999999')).toBe('malformed');
  });
});
