import { describe, expect, it } from 'vitest';

import { renderRefusal } from '../src/answer.js';
import { refuse } from '../src/refusal.js';

describe('renderRefusal', () => {
  it('leaves out what there is not', () => {
    expect(renderRefusal(refuse(405, 'method-not-allowed', 'no'), 1)).toEqual({
      text: '{"error":"method-not-allowed","detail":"no"}',
      headers: { 'content-type': 'application/json' },
    });
  });

  it('gives everything it has, and never the cause', () => {
    const refusal = refuse(400, 'invalid-event', 'no id', { index: 0, line: 1, path: '$.id', code: 'missing-attribute', cause: new Error('x') });
    expect(renderRefusal(refusal, 1).text).toBe(
      '{"error":"invalid-event","detail":"no id","index":0,"line":1,"path":"$.id","code":"missing-attribute"}',
    );
  });

  it('says when to come back only where that helps', () => {
    expect(renderRefusal(refuse(503, 'unavailable', 'no', { retry: true, headers: { x: 'y' } }), 7).headers).toEqual({
      'content-type': 'application/json',
      'retry-after': '7',
      x: 'y',
    });
    expect(renderRefusal(refuse(400, 'x', 'no'), 7).headers).not.toHaveProperty('retry-after');
  });
});
