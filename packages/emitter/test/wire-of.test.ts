import { parseEvent, wireEvent, type JsonObject } from '@aepkit/envelope';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { collect } from './support.js';

describe('the text of an Event', () => {
  it('is what wireEvent makes of it, and says what the Event says', async () => {
    const { emitter, transport } = collect({ ceiling: 'full' });
    const session = await emitter.session();
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), fc.dictionary(fc.stringMatching(/^acme[a-z0-9]{1,9}$/), fc.oneof(fc.string(), fc.maxSafeInteger(), fc.boolean(), fc.bigInt({ min: 2n ** 60n, max: 2n ** 80n }))), async (data, extensions) => {
        session.emit('x.acme.session.thing', { data: data as JsonObject, extensions });
        await emitter.flush();
        const { event, json } = transport.events.at(-1)!;
        expect(wireEvent(event).json).toBe(json);
        expect(parseEvent(json).event).toEqual(event);
        expect(json).not.toMatch(/[\r\n]/);
      }),
      { numRuns: 200 },
    );
  });

  it('is counted in bytes of UTF-8', async () => {
    for (const text of ['a', 'é', '日', '👍', '\u2028']) {
      const { emitter, transport } = collect({ ceiling: 'full', createId: (() => { let count = 0; return () => `id${String((count += 1))}`; })() });
      const session = await emitter.session();
      session.emit('x.acme.session.thing', { data: { text } });
      await emitter.flush();
      const bytes = Buffer.byteLength(transport.events[0]!.json);
      for (const [maxEventBytes, fine] of [[bytes, true], [bytes - 1, false]] as const) {
        const other = collect({ ceiling: 'full', maxEventBytes, createId: (() => { let count = 0; return () => `id${String((count += 1))}`; })() });
        const tight = await other.emitter.session();
        const emit = (): string => tight.emit('x.acme.session.thing', { data: { text } });
        if (fine) emit();
        else expect(emit).toThrow(expect.objectContaining({ code: 'too-large' }));
      }
    }
  });
});
