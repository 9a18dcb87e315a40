import { describe, expect, it } from 'vitest';

import { bodyShape } from '../src/content-type.js';

describe('bodyShape', () => {
  it.each([
    ['application/json', 'single'],
    ['application/x-ndjson', 'batch'],
    ['APPLICATION/JSON', 'single'],
    ['Application/X-NDJSON', 'batch'],
    ['application/json; charset=utf-8', 'single'],
    ['application/json;charset=UTF-8', 'single'],
    ['application/json ; Charset="utf-8"', 'single'],
    ['application/json; charset="ut\\f-8"', 'single'],
    ['application/json; profile="a;charset=latin1"', 'single'],
    ['application/json; q', 'single'],
    ['application/json;', 'single'],
    [' application/x-ndjson\t; v=1', 'batch'],
  ])('takes %j as %s', (header, shape) => {
    expect(bodyShape(header)).toBe(shape);
  });

  it.each([
    [null],
    [undefined],
    [''],
    ['text/plain'],
    ['application/jsonl'],
    ['application/ndjson'],
    ['application/json+x'],
    ['application/aep+json'],
    ['application/json, application/json'],
    ['application/json; charset=latin1'],
    ['application/json; charset=utf-16'],
    ['application/json; charset=utf-8; charset=latin1'],
    ['application/x-ndjson; charset="iso-8859-1"'],
    ['application/json; charset='],
    ['"application/json"'],
    ['multipart/form-data; boundary=x'],
  ])('refuses %j with 415 and says what is taken [B-029]', (header) => {
    expect(bodyShape(header)).toMatchObject({
      status: 415,
      error: 'unsupported-media-type',
      headers: { accept: 'application/json, application/x-ndjson' },
    });
  });
});
