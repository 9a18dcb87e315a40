import { parseEvent } from '@aepkit/envelope';
import { describe, expect, it } from 'vitest';

import { httpTransport } from '../src/http.js';
import type { Loss, TransportFailure } from '../src/index.js';
import { collect } from './support.js';

type Answer = { status: number; body?: object; headers?: Record<string, string> } | Error;

async function against(script: (phases: readonly unknown[], call: number) => Answer, more: object = {}) {
  const requests: { phases: unknown[]; headers: Headers; body: string }[] = [];
  const losses: Loss[] = [];
  const failures: TransportFailure[] = [];
  const transport = httpTransport({
    url: 'http://127.0.0.1:1/events',
    token: 'secret-token-of-some-length',
    fetch: async (_url, init) => {
      const body = new TextDecoder().decode(init.body as Uint8Array);
      const phases = body.trim().split('\n').map((line) => parseEvent(line).event.data?.phase);
      requests.push({ phases, headers: new Headers(init.headers), body });
      const answer = script(phases, requests.length);
      if (answer instanceof Error) throw answer;
      return new Response(JSON.stringify(answer.body ?? {}), { status: answer.status, headers: answer.headers ?? {} });
    },
    ...more,
  });
  const { emitter } = collect({ transport, retryBaseMs: 1, retryMaxMs: 1, onLoss: (loss) => losses.push(loss), onError: (failure) => failures.push(failure) });
  const session = await emitter.session();
  const emit = (...names: string[]): void => {
    for (const phase of names) session.emit('progress.status', { data: { phase } });
  };
  return { emitter, emit, requests, losses, failures };
}

describe('over HTTP', () => {
  it('Events go as a batch with version and token [B-021]', async () => {
    const { emitter, emit, requests } = await against(() => ({ status: 202 }));
    emit('a', 'b');
    expect(await emitter.close()).toMatchObject({ done: true });
    expect(requests).toHaveLength(1);
    expect(requests[0]!.phases).toEqual(['a', 'b']);
    expect(requests[0]!.headers.get('aep-version')).toBe('0.1');
    expect(requests[0]!.headers.get('authorization')).toBe('Bearer secret-token-of-some-length');
  });

  it.each([new Error('refused'), { status: 503 }, { status: 429, headers: { 'retry-after': '0' } }, { status: 401 }, { status: 403, body: { error: 'forbidden' } }, { status: 404 }, { status: 426 }, { status: 302 }, { status: 400 }])(
    'what concerns no Event is tried again with the same text, and loses none: %o [B-030]',
    async (answer) => {
      const { emitter, emit, requests, losses } = await against((_phases, call) => (call < 4 ? answer : { status: 202 }));
      emit('a', 'b');
      expect(await emitter.flush()).toMatchObject({ done: true, lost: 0 });
      expect(requests).toHaveLength(4);
      expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
      expect(losses).toEqual([]);
    },
  );

  it('an Event that the endpoint does not take is lost alone, with the one that is named', async () => {
    const { emitter, emit, requests, losses } = await against((phases) => {
      const index = phases.indexOf('bad');
      return index < 0 ? { status: 202 } : { status: 400, body: { error: 'invalid-event', index, detail: 'x' } };
    });
    emit('a', 'bad', 'b');
    expect(await emitter.flush()).toMatchObject({ done: true, lost: 1 });
    expect(requests.map(({ phases }) => phases)).toEqual([['a', 'bad', 'b'], ['a', 'b']]);
    expect(losses).toMatchObject([{ reason: 'refused', count: 1 }]);
  });

  it('a batch that is too large is halved, and an Event that is too large alone is lost', async () => {
    const { emitter, emit, requests } = await against((phases) => ({ status: phases.length > 2 || phases.includes('huge') ? 413 : 202 }));
    emit('a', 'b', 'c', 'huge', 'd');
    expect(await emitter.flush()).toMatchObject({ done: true, lost: 1 });
    expect(requests.filter(({ phases }) => phases.length <= 2 && !phases.includes('huge')).flatMap(({ phases }) => phases)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('a token is in no error', async () => {
    const { emitter, emit, failures } = await against(() => ({ status: 401, body: { error: 'secret-token-of-some-length' } }));
    emit('a');
    await emitter.close({ timeoutMs: 300 });
    expect(failures.length).toBeGreaterThan(0);
    for (const { error } of failures) expect(String(error)).not.toContain('secret-token');
  });

  it('options that cannot be used are refused at once', () => {
    expect(() => httpTransport({ url: 'ftp://x/' })).toThrow(TypeError);
    expect(() => httpTransport({ url: 'http://x/', requestTimeoutMs: 0 })).toThrow(RangeError);
  });
});
