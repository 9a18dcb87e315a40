import { Access } from '@aepkit/access';
import { parseEvent } from '@aepkit/envelope';
import { HubError } from '@aepkit/hub';
import { describe, expect, it } from 'vitest';

import { endpointRoutes, RouteError } from '../src/index.js';

class OwnError extends Error {}

function routes(onError?: (error: unknown) => void) {
  const made = endpointRoutes({
    access: new Access({ host: '127.0.0.1' }),
    version: '1.2.3',
    socket: '/socket',
    readError: (error) => (error instanceof OwnError ? new RouteError(418, 'teapot', error.message) : undefined),
    ...(onError === undefined ? {} : { onError }),
    now: () => 5000,
  });
  const request = async (path: string, init: RequestInit = {}) => {
    const response = await made.app.request(`http://localhost${path}`, { ...init, headers: { host: 'localhost', ...(init.headers as Record<string, string> | undefined) } });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>), headers: response.headers };
  };
  return { ...made, request };
}

describe('the routes of an endpoint', () => {
  it('answer health, what is nowhere, and a plain request to the WebSocket', async () => {
    const { request } = routes();
    expect(await request('/healthz')).toMatchObject({ status: 200, body: { status: 'ok', version: '1.2.3', uptime_ms: 0 } });
    expect(await request('/nowhere')).toMatchObject({ status: 404, body: { error: 'not-found' } });
    const plain = await request('/socket');
    expect(plain).toMatchObject({ status: 426, body: { error: 'upgrade-required' } });
    expect(plain.headers.get('upgrade')).toBeNull();
    expect(await request('/socket', { method: 'POST' })).toMatchObject({ status: 405 });
    for (const path of ['/healthz', '/socket']) expect((await request(path, { headers: { origin: 'http://evil.example' } })).status).toBe(403);
  });

  it('answer 405 with the methods, once the request is from a place that may know', async () => {
    const { request, route } = routes();
    route('/thing', ['GET'], () => new Response('{}'));
    const refused = await request('/thing', { method: 'PUT' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET']);
    expect((await request('/thing', { method: 'PUT', headers: { 'x-forwarded-for': '192.0.2.1' } })).status).toBe(403);
  });

  it.each([
    ['an Event that is none', () => parseEvent('{}'), 400, 'missing-attribute'],
    ['a hub that is busy', () => { throw new HubError('overloaded', 'busy'); }, 503, 'overloaded'],
    ['a refusal of its own', () => { throw new RouteError(409, 'taken', 'it is', {}, { by: 'whom' }); }, 409, 'taken'],
    ['an error of the program', () => { throw new OwnError('short and stout'); }, 418, 'teapot'],
  ])('say what is wrong with %s', async (_, fail, status, error) => {
    const errors: unknown[] = [];
    const { request, route } = routes((each) => errors.push(each));
    route('/fails', ['GET', 'HEAD'], () => {
      fail();
      return new Response();
    });
    expect(await request('/fails')).toMatchObject({ status, body: { error } });
    expect(await request('/fails', { method: 'HEAD' })).toMatchObject({ status, body: undefined });
    expect(errors).toEqual([]);
  });

  it('say nothing of the inside where nobody knows the error, and tell it', async () => {
    const errors: unknown[] = [];
    const { request, route, app } = routes((each) => errors.push(each));
    const secret = new Error('SELECT * FROM secrets');
    route('/fails', ['GET'], () => Promise.reject(secret));
    app.get('/bare', () => {
      throw secret;
    });
    for (const path of ['/fails', '/bare']) {
      const { status, body } = await request(path);
      expect([status, body?.error]).toEqual([500, 'internal-error']);
      expect(JSON.stringify(body)).not.toContain('SELECT');
    }
    expect(errors).toEqual([secret, secret]);
  });
});
