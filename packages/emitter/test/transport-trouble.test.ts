import { describe, expect, it } from 'vitest';

import { httpTransport } from '../src/http.js';
import { TransportError, type Transport } from '../src/index.js';
import { troubleOf } from '../src/transport-trouble.js';
import { collect } from './support.js';

describe('the trouble that a flush tells', () => {
  it.each([
    [new Error('down'), 'failed', 'down'],
    [new TransportError('full', { retryable: true, code: 'spool-full' }), 'spool-full', 'full'],
    [new TransportError('no answer', { retryable: true, cause: Object.assign(new Error('x'), { code: 'network', cause: Object.assign(new Error('y'), { code: 'ECONNREFUSED' }) }) }), 'network', 'no answer (ECONNREFUSED)'],
    ['text', 'failed', 'text'],
    [undefined, 'failed', 'the transport failed'],
    [new Error('a\u001b[31m\nb\u202e'), 'failed', 'a [31m b '],
    [new Error('x'.repeat(1000)), 'failed', 'x'.repeat(300)],
    [new Proxy(new Error('x'), { get: () => { throw new Error('trap'); } }), 'failed', 'the transport failed'],
  ])('can be printed, whatever the error is (%#)', (error, code, detail) => {
    expect(troubleOf(error)).toEqual({ code, detail });
  });

  it('ends its search where causes go in a circle', () => {
    const error = new Error('round');
    error.cause = error;
    expect(troubleOf(error)).toEqual({ code: 'failed', detail: 'round' });
  });

  it.each([
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'refused'],
    [503, 'unavailable'],
  ])('names what is wrong with the address or the token: %d', async (status, code) => {
    let fine = false;
    const transport = httpTransport({ url: 'http://127.0.0.1:1/wrong', token: 'secret-token-of-some-length', fetch: () => Promise.resolve(new Response('', { status: fine ? 202 : status })) });
    const { emitter } = collect({ transport, retryBaseMs: 1, retryMaxMs: 1 });
    const session = await emitter.session();
    session.emit('progress.status');
    const outcome = await emitter.flush({ timeoutMs: 50 });
    expect(outcome).toMatchObject({ done: false, left: 1, trouble: { code, detail: `the endpoint answered ${String(status)}` } });
    expect(JSON.stringify(outcome)).not.toContain('secret');
    fine = true;
    expect(await emitter.flush()).not.toHaveProperty('trouble');
  });

  it('stays for an Event that was lost over it', async () => {
    const transport: Transport = { send: () => Promise.reject(new TransportError('not this one', { retryable: false })) };
    const { emitter } = collect({ transport });
    (await emitter.session()).emit('progress.status');
    expect(await emitter.close()).toMatchObject({ done: true, lost: 1, trouble: { code: 'failed', detail: 'not this one' } });
  });

  it('is the time where nothing failed', async () => {
    const transport: Transport = { send: (_batch, { signal }) => new Promise((_resolve, reject) => { signal.addEventListener('abort', () => { reject(new Error('given up')); }); }) };
    const { emitter } = collect({ transport });
    (await emitter.session()).emit('progress.status');
    expect(await emitter.close({ timeoutMs: 5 })).toMatchObject({ done: false, lost: 1, trouble: { code: 'timeout', detail: 'not everything was delivered in time' } });
  });
});
