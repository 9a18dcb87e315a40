import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { inflate, type InflateBounds } from '../src/inflate.js';
import { ledger, openAccount } from '../src/ledger.js';

const account = (): ReturnType<typeof openAccount> => openAccount(ledger(Infinity));
const bounds = (maxBytes: number, own: InflateBounds['account'] = account()): InflateBounds => ({ maxBytes, maxLineBytes: Infinity, account: own });
const text = Buffer.from('{"text":"é\u2028"}\n'.repeat(200));

describe('inflate', () => {
  it.each([
    ['gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
  ] as const)('undoes %s', async (coding, bytes) => {
    expect(await inflate(bytes, coding, bounds(text.length))).toEqual(text);
  });

  it.each([
    ['gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
  ] as const)('takes %s up to the bound and not one byte more', async (coding, bytes) => {
    expect(await inflate(bytes, coding, bounds(text.length + 1))).toEqual(text);
    expect(await inflate(bytes, coding, bounds(text.length - 1))).toMatchObject({ status: 413, error: 'too-large' });
  });

  it('counts several gzip members as one body', async () => {
    const bytes = Buffer.concat([gzipSync('{"a":'), gzipSync(''), gzipSync('1}')]);
    expect(await inflate(bytes, 'gzip', bounds(7))).toEqual(Buffer.from('{"a":1}'));
    expect(await inflate(bytes, 'gzip', bounds(6))).toMatchObject({ status: 413 });
  });

  it('stops at the bound however much lies behind it, and whatever length the trailer states', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20));
    bomb.writeUInt32LE(3, bomb.length - 4);
    const book = ledger(Infinity);
    let taken = 0;
    const counting = { take: (bytes: number) => ((taken += bytes), book.take(bytes)), close: () => undefined };
    expect(await inflate(bomb, 'gzip', bounds(1_000_000, counting))).toMatchObject({ status: 413, code: 'body-too-large' });
    expect(taken).toBeLessThanOrEqual(1_000_000);
  });

  it('stops when a line has grown too long, although the body has not', async () => {
    const body = gzipSync(Buffer.concat([text, Buffer.alloc(1_000_000, 0x20), text]));
    expect(await inflate(body, 'gzip', { ...bounds(Infinity), maxLineBytes: 900_000 })).toMatchObject({ status: 413, error: 'too-large', code: 'too-large' });
    expect(await inflate(body, 'gzip', { ...bounds(Infinity), maxLineBytes: 1_000_100 })).toHaveLength(1_000_000 + 2 * text.length);
    const short = gzipSync('12345\n12345\n12345');
    expect(await inflate(short, 'gzip', { ...bounds(Infinity), maxLineBytes: 5 })).toHaveLength(17);
  });

  it('gives way with 503 when all bodies together are too much', async () => {
    expect(await inflate(gzipSync(text), 'gzip', bounds(Infinity, openAccount(ledger(100))))).toMatchObject({ status: 503, retry: true });
  });

  const valid = gzipSync(text);
  const wrongLength = Buffer.from(valid);
  wrongLength.writeUInt32LE(7, wrongLength.length - 4);
  it.each([
    ['no gzip at all', Buffer.from('{"aep":"0.1"}')],
    ['nothing', Buffer.alloc(0)],
    ['half of it', valid.subarray(0, valid.length >> 1)],
    ['a trailer with another length', wrongLength],
    ['another coding', deflateSync(text)],
    ['zeros behind it', Buffer.concat([valid, Buffer.alloc(3)])],
    ['a member behind zeros', Buffer.concat([valid, Buffer.alloc(3), valid])],
    ['half a member behind it', Buffer.concat([valid, valid.subarray(0, 9)])],
  ])('refuses gzip that is %s with 400', async (_name, bytes) => {
    expect(await inflate(bytes, 'gzip', bounds(Infinity))).toMatchObject({ status: 400, error: 'invalid-event', code: 'invalid-encoding' });
  });

  it.each([
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
  ] as const)('refuses %s with a second body behind it, instead of losing it', async (coding, bytes) => {
    expect(await inflate(Buffer.concat([bytes, bytes]), coding, bounds(Infinity))).toMatchObject({ status: 400, code: 'invalid-encoding' });
  });
});
