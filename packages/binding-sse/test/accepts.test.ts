import { describe, expect, it } from 'vitest';

import { acceptsEventStream } from '../src/accepts.js';

describe('acceptsEventStream', () => {
  it.each([
    [undefined],
    [''],
    [' '],
    ['*/*'],
    ['*'],
    ['text/*'],
    ['text/event-stream'],
    ['TEXT/Event-Stream;charset=utf-8'],
    ['text/html, */*;q=0.1'],
    ['application/json, text/event-stream;q=0.5'],
    ['text/*;q=0, text/event-stream'],
    ['*/*;q=0, text/event-stream; q=0.001'],
    ['text/event-stream;q=bogus'],
  ])('lets %j through', (accept) => {
    expect(acceptsEventStream(accept)).toBe(true);
  });

  it.each([['application/json'], ['text/html, application/*'], ['text/event-stream;q=0'], ['text/event-stream;q=0, */*'], ['text/*;q=0.0, */*'], ['*/*;q=0']])(
    'finds that %j excludes an event stream',
    (accept) => {
      expect(acceptsEventStream(accept)).toBe(false);
    },
  );
});
