import { chmod, writeFile } from 'node:fs/promises';

import { rawClient, tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { startCollector } from '../src/index.js';
import { post } from './support.js';

const TOKEN = 'a-long-enough-token-for-tests-0123456789';

async function status(port: number, head: string): Promise<number> {
  const client = await rawClient(port);
  client.write(head);
  const match = await client.until(/^HTTP\/1\.1 (\d{3})/);
  client.destroy();
  return Number(match[1]);
}

describe('without a token', () => {
  it.each(['0.0.0.0', '::', '192.0.2.1'])('does not listen on %s [B-172]', async (host) => {
    await using dir = await tempDir();
    await expect(startCollector({ host, port: 0, data: dir.path })).rejects.toMatchObject({ name: 'AccessConfigError', code: 'token-required' });
  });

  it('answers no page of another site and no request of a proxy, on every route', async () => {
    await using dir = await tempDir();
    const collector = await startCollector({ port: 0, data: dir.path });
    const routes = ['GET /events', 'POST /events', 'GET /stream', 'GET /sessions', 'GET /healthz', 'POST /hooks/claude-code', 'GET /.well-known/aep'];
    const headers = ['Origin: http://evil.example', 'Origin: null', 'Origin: http://localhost.evil.example', 'X-Forwarded-For: 192.0.2.7', 'Forwarded: for=192.0.2.7'];
    for (const route of routes) {
      for (const header of headers) {
        expect(await status(collector.port, `${route} HTTP/1.1\r\nHost: localhost:${collector.port}\r\n${header}\r\nContent-Length: 0\r\n\r\n`), `${route} ${header}`).toBe(403);
      }
      expect(await status(collector.port, `${route} HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 0\r\n\r\n`), route).toBeGreaterThanOrEqual(400);
    }
    await collector.close();
  });
});

it('names no port in a refusal where the port was left to the system', async () => {
  await using dir = await tempDir();
  const collector = await startCollector({ port: 0, data: dir.path });
  const client = await rawClient(collector.port);
  client.write('GET /sessions HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n');
  const answer = await client.closed();
  expect(answer).toContain('127.0.0.1');
  expect(answer).not.toContain('127.0.0.1:0');
  await collector.close();
});

describe('with a token', () => {
  it('needs it on every route but discovery and health, in a header except for the stream [B-173, B-174]', async () => {
    await using dir = await tempDir();
    const collector = await startCollector({ port: 0, data: dir.path, token: TOKEN });
    const at = (path: string, init: RequestInit = {}): Promise<number> => fetch(`${collector.url}${path}`, init).then(async (response) => {
      await response.body?.cancel();
      return response.status;
    });
    const bearer = { headers: { authorization: `Bearer ${TOKEN}` } };
    for (const path of ['/stream', '/sessions']) {
      expect(await at(path), path).toBe(401);
      expect(await at(path, bearer), path).toBe(200);
    }
    expect(await at('/hooks/claude-code', { method: 'POST', body: '{}' })).toBe(401);
    expect((await post(collector.url, 'x')).status).toBe(401);
    expect(await at('/events')).toBe(200);
    expect(await at('/healthz')).toBe(200);
    expect(await at(`/stream?access_token=${TOKEN}`)).toBe(200);
    expect(await at(`/sessions?access_token=${TOKEN}`)).toBe(401);
    expect((await fetch(`${collector.url}/events?access_token=${TOKEN}`, { method: 'POST', headers: { 'aep-version': '0.1' }, body: 'x' })).status).toBe(401);
    await collector.close();
  });

  it('keeps it out of everything it writes [B-175]', async () => {
    await using dir = await tempDir();
    const lines: string[] = [];
    const log = (facts: object, message: string): void => void lines.push(JSON.stringify(facts) + message);
    const collector = await startCollector({ port: 0, data: dir.path, token: TOKEN, 'query-tokens': false }, { info: log, warn: log, error: log, debug: log });
    const answers: string[] = [];
    for (const path of ['stream', 'events', 'sessions', 'nothing', 'hooks/claude-code']) {
      for (const method of ['GET', 'POST']) {
        const response = await fetch(`${collector.url}/${path}?access_token=${TOKEN}`, { method, headers: { authorization: `Basic ${TOKEN}` } });
        answers.push(await response.text(), JSON.stringify([...response.headers]));
      }
    }
    answers.push(JSON.stringify(collector.stats()));
    await collector.close();
    expect([...lines, ...answers].filter((text) => text.includes(TOKEN))).toEqual([]);
    expect(lines.length).toBeGreaterThan(0);
  });

  it('reads token files that only their owner can read', async () => {
    await using dir = await tempDir();
    await writeFile(dir.file('tokens'), '');
    await chmod(dir.file('tokens'), 0o644);
    await expect(startCollector({ port: 0, data: dir.path, 'token-file': dir.file('tokens') })).rejects.toMatchObject({ code: 'token-file-unusable' });
    await expect(startCollector({ port: 0, data: dir.path, 'token-file': dir.file('none') })).rejects.toMatchObject({ code: 'token-file-unusable' });
  });
});
