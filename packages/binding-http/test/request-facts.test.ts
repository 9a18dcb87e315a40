import { Hono, type Context } from 'hono';
import { describe, expect, it } from 'vitest';

import { requestFacts } from '../src/request-facts.js';
import type { RequestFacts } from '@aepkit/access';

async function facts(url: string, headers: Record<string, string> | Headers = {}, env: object = {}): Promise<RequestFacts> {
  let found: RequestFacts | undefined;
  const app = new Hono();
  app.all('*', (c: Context) => {
    found = requestFacts(c);
    return c.body(null);
  });
  await app.request(url, { headers }, env);
  return found!;
}

const socket = (more: object): object => ({ incoming: { on: () => undefined, resume: () => undefined, socket: more } });

describe('requestFacts', () => {
  it('reads headers by name, several of one name joined', async () => {
    const headers = new Headers([
      ['Authorization', 'Bearer a'],
      ['authorization', 'Bearer b'],
      ['host', 'h:1'],
    ]);
    const request = await facts('http://h:1/events', headers);
    expect([request.header('authorization'), request.header('host'), request.header('origin')]).toEqual(['Bearer a, Bearer b', 'h:1', undefined]);
  });

  it('takes the host from the URL where no header names one', async () => {
    expect((await facts('http://u:1/events')).header('host')).toBe('u:1');
  });

  it('says whether the connection itself is encrypted, whatever a header claims', async () => {
    const forwarded = { 'x-forwarded-proto': 'https' };
    expect((await facts('http://h/', forwarded)).encrypted).toBe(false);
    expect((await facts('https://h/')).encrypted).toBe(true);
    expect((await facts('https://h/', {}, socket({}))).encrypted).toBe(false);
    expect((await facts('http://h/', {}, socket({ encrypted: true }))).encrypted).toBe(true);
  });

  it('names the peer where Node does, and a token in the URL', async () => {
    const request = await facts('http://h/?x=1&access_token=abc#f', {}, socket({ remoteAddress: '10.0.0.1' }));
    expect([request.remoteAddress, request.queryToken]).toEqual(['10.0.0.1', 'abc']);
    const plain = await facts('http://h/?my_access_token=abc');
    expect('remoteAddress' in plain || 'queryToken' in plain).toBe(false);
  });
});
