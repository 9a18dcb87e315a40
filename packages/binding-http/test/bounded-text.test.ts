import { describe, expect, it } from 'vitest';

import { boundedText } from '../src/bounded-text.js';

const chunked = (text: string): Response => {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new Response(
    new ReadableStream({
      pull(controller) {
        if (at === bytes.length) controller.close();
        else controller.enqueue(bytes.subarray(at, ++at));
      },
    }),
  );
};

describe('boundedText', () => {
  it('joins characters that were split', async () => {
    expect(await boundedText(chunked('zwölf 漢 👍'), 100)).toBe('zwölf 漢 👍');
  });

  it('is empty without a body', async () => {
    expect(await boundedText(new Response(null), 0)).toBe('');
  });

  it('reads up to the bound and gives nothing beyond it', async () => {
    expect(await boundedText(chunked('12345'), 6)).toBe('12345');
    expect(await boundedText(chunked('12345'), 5)).toBe('12345');
    expect(await boundedText(chunked('12345'), 4)).toBeUndefined();
  });
});
