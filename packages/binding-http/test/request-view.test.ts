import { Hono, type Context } from 'hono';
import { describe, expect, it } from 'vitest';

import { requestView } from '../src/request-view.js';
import type { RequestFacts } from '@aepkit/access';

async function facts(url: string, headers: Record<string, string> | Headers = {}, env: object = {}): Promise<RequestFacts> {
  let found: RequestFacts | undefined;
  const app = new Hono();
  app.all('*', (c: Context) => {
    found = requestView(c).facts;
    return c.body(null);
  });
  await app.request(url, { headers }, env);
  return found!;
}

const node = (rawHeaders: readonly string[], headers: object): object => ({
  incoming: { on: () => undefined, resume: () => undefined, httpVersionMajor: 1, socket: {}, headers, rawHeaders },
});
const socket = (more: object): object => ({ incoming: { on: () => undefined, resume: () => undefined, httpVersionMajor: 1, socket: more, headers: {}, rawHeaders: [] } });

describe('requestView', () => {
  it('reads headers by name, several of one name joined', async () => {
    const headers = new Headers([
      ['Authorization', 'Bearer a'],
      ['authorization', 'Bearer b'],
      ['host', 'h:1'],
    ]);
    const request = await facts('http://h:1/events', headers);
    expect([request.header('authorization'), request.header('host'), request.header('origin')]).toEqual(['Bearer a, Bearer b', 'h:1', undefined]);
  });

  it('joins what Node would hide behind the first of its name', async () => {
    const raw = ['Authorization', 'Bearer a', 'Host', 'h', 'X-Real-IP', '1', 'AUTHORIZATION', 'Bearer b', 'Authorisation', 'c', 'x-real-ip', '2'];
    const request = await facts('http://h/events', {}, node(raw, { authorization: 'Bearer a', host: 'h', 'x-real-ip': '1, 2', 'set-cookie': ['x', 'y'] }));
    expect(['authorization', 'host', 'x-real-ip', 'set-cookie', 'origin'].map((name) => request.header(name))).toEqual(['Bearer a, Bearer b', 'h', '1, 2', 'x, y', undefined]);
  });

  it('knows the names of the headers where Node has them', async () => {
    const raw = ['Host', 'h', 'Via', '1.1 p', 'via', '1.1 q'];
    expect((await facts('http://h/events', {}, node(raw, { host: 'h', via: '1.1 p, 1.1 q' }))).headerNames).toEqual(['host', 'via']);
    expect((await facts('http://h/events')).headerNames).toBeUndefined();
  });

  it('takes the host from the URL where no header names one', async () => {
    expect((await facts('http://u:1/events')).header('host')).toBe('u:1');
    expect((await facts('http://u:1/events', {}, node([], {}))).header('host')).toBe('u:1');
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
    expect([plain.remoteAddress, plain.queryToken]).toEqual([undefined, undefined]);
  });
});
