import { createIdFactory } from '@aepkit/envelope';
import { describe, expect, it } from 'vitest';

import { readAnswer } from '../src/hook-post.js';
import { mintKey } from '../src/hook-shim.js';
import { hookTarget } from '../src/hook-target.js';

describe('an answer', () => {
  it.each([
    ['HTTP/1.1 202 Accepted\r\ncontent-type: text/plain\r\n\r\nbody', { status: 202, said: 'body' }],
    ['HTTP/1.0 503\r\n', { status: 503, said: '' }],
    ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 400 Bad\r\n\r\n', { status: 400, said: '' }],
    ['HTTP/1.1 100 Continue\r\nx: y\r\n', undefined],
    ['HTTP/1.1 2', undefined],
    ['', undefined],
    ['HTTP/1.1 202', undefined],
    ['HTTP/2 202 Accepted\r\n', 'bad'],
    ['HTTP/1.1 999 What\r\n', 'bad'],
    ['HTTP/1.1 2020\r\n', 'bad'],
    ['SSH-2.0-OpenSSH_9.2\r\n', 'bad'],
    ['HTTP/1.1  202 Accepted\r\n', 'bad'],
    [' HTTP/1.1 202 Accepted\r\n', 'bad'],
  ])('%j is read strictly', (text, answer) => {
    expect(readAnswer(Buffer.from(text))).toEqual(answer);
  });

  it('is read the same whatever pieces it comes in', () => {
    const text = Buffer.from('HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 503 Away\r\nretry-after: 1\r\n\r\n{}');
    for (let cut = 0; cut < text.length; cut += 1) {
      const part = readAnswer(text.subarray(0, cut));
      expect(part === undefined || (typeof part === 'object' && part.status === 503)).toBe(true);
    }
  });
});

it('gives each call a ULID', () => {
  const now = Date.UTC(2026, 0, 1);
  expect(mintKey(now, () => 0)).toBe(createIdFactory()(now).slice(0, 10) + '0'.repeat(16));
  expect(mintKey(0, () => 0.999999)).toBe('0000000000ZZZZZZZZZZZZZZZZ');
  expect(mintKey()).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
});

describe('the target', () => {
  it.each([
    [{}, { url: 'http://127.0.0.1:8787/hooks/claude-code', timeoutMs: 250, local: true, capture: { capture: 'default', categories: [], secretVariables: [], secretFile: undefined, tokenPrefixes: [], pii: true }, readHere: false, spoolBytes: 268_435_456 }],
    [{ AEP_URL: 'https://events.example/aep', AEP_TOKEN: 't' }, { url: 'https://events.example/aep/hooks/claude-code', timeoutMs: 2000, local: false, token: 't' }],
    [{ AEP_URL: 'http://[::1]:1/', AEP_HOOK_TIMEOUT_MS: '7', AEP_SPOOL_BYTES: '8192' }, { local: true, timeoutMs: 7, spoolBytes: 8192 }],
    [{ AEP_HOOK_TIMEOUT_MS: '99999999', AEP_SPOOL_BYTES: '1', AEP_CAPTURE: 'full' }, { timeoutMs: 250, spoolBytes: 268_435_456, capture: { capture: 'full' }, readHere: false }],
    [{ AEP_CAPTURE: 'redacted', AEP_REDACT_PII: 'off' }, { capture: { capture: 'redacted', pii: false }, readHere: false }],
    [{ AEP_CAPTURE: 'everything' }, { capture: { capture: 'everything' }, readHere: true }],
    [{ AEP_CAPTURE_CATEGORY: 'tool=none, run=full' }, { capture: { capture: 'default', categories: ['tool=none', 'run=full'] }, readHere: true }],
    [{ AEP_REDACT_ENV: 'DB_PASSWORD,' }, { capture: { secretVariables: ['DB_PASSWORD'] }, readHere: true }],
    [{ AEP_REDACT_FILE: '/s', AEP_REDACT_PREFIX: 'acme_', AEP_REDACT_HOME: '/srv/me' }, { capture: { secretFile: '/s', tokenPrefixes: ['acme_'] }, readHere: true }],
    [{ AEP_SPOOL: '/s' }, { spool: '/s/hooks/local-8787' }],
    [{ AEP_SPOOL: 'off' }, { spool: undefined }],
    [{ AEP_URL: 'http://127.0.0.1.example' }, { local: false }],
  ])('of %j', (env, expected) => {
    const { url, ...rest } = hookTarget('claude-code', env);
    expect({ url: url.href, ...rest }).toMatchObject(expected);
  });
});
