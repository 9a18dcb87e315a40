import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';

import { buildWire } from '@aepkit/testkit';
import { describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';

import * as server from '../src/server.js';
import type { EndReason, FrameFaultCode, WsErrorCode, WsRefusalError } from '../src/server.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

describe('@aepkit/binding-ws/server', () => {
  it('exports these values', () => {
    expect(Object.keys(server).toSorted()).toEqual([
      'CLOSE_CODES',
      'DEFAULT_CLOSE_GRACE_MS',
      'DEFAULT_HELLO_TIMEOUT_MS',
      'DEFAULT_HIGH_WATER_MARK_BYTES',
      'DEFAULT_IDLE_TIMEOUT_MS',
      'DEFAULT_MAX_BUFFERED_BYTES',
      'DEFAULT_MAX_EVENT_BYTES',
      'DEFAULT_MAX_FAULTS',
      'DEFAULT_MAX_HELLO_BYTES',
      'DEFAULT_MAX_MESSAGE_BYTES',
      'DEFAULT_MAX_OPENING',
      'DEFAULT_MAX_ROSTER_BYTES',
      'DEFAULT_MAX_UNCOMMITTED_BYTES',
      'DEFAULT_MAX_UNFINISHED_BYTES',
      'DEFAULT_MAX_URL_CHARS',
      'DEFAULT_MESSAGE_TIMEOUT_MS',
      'DEFAULT_OVERLOAD_TIMEOUT_MS',
      'DEFAULT_PING_MS',
      'DEFAULT_PROBE_TIMEOUT_MS',
      'DEFAULT_RETRY_AFTER_SECONDS',
      'FRAME_TYPES',
      'attachWebSocket',
      'decodeMessage',
      'encodeFrame',
      'webSocketBinding',
      'wsEncoder',
    ]);
  });

  it('closes with these codes', () => {
    expect(server.CLOSE_CODES).toEqual({ normal: 1000, shutdown: 1001, protocol: 1002, binary: 1003, encoding: 1007, policy: 1008, tooLarge: 1009, internal: 1011, overload: 1013 });
  });

  it('says these codes, all of them in the README', () => {
    const errors: Record<WsErrorCode | FrameFaultCode, true> = {
      'invalid-message': true,
      'invalid-event': true,
      'invalid-hello': true,
      'version-unsupported': true,
      'invalid-filter': true,
      'limit-exceeded': true,
      'invalid-request': true,
      unauthorized: true,
      unsupported: true,
      ambiguous: true,
      'no-route': true,
      'hello-required': true,
      'binary-unsupported': true,
      'too-many-faults': true,
      unavailable: true,
    };
    const refusals: Record<WsRefusalError, true> = { unauthorized: true, 'invalid-request': true, unavailable: true, 'internal-error': true };
    for (const code of Object.keys({ ...errors, ...refusals })) expect(readme).toContain(`\`${code}\``);
    const reasons: Record<EndReason, true> = {
      shutdown: true,
      'slow-consumer': true,
      'replay-stalled': true,
      'replay-evicted': true,
      unavailable: true,
      'replay-done': true,
      'internal-error': true,
      'idle-timeout': true,
      'message-timeout': true,
      'too-many-faults': true,
      'limit-exceeded': true,
      'binary-unsupported': true,
    };
    expect(Object.keys(reasons)).toHaveLength(12);
  });
});

describe('the README', () => {
  it('shows a server that runs here', async () => {
    const program = readFileSync(new URL('./example-server.ts', import.meta.url), 'utf8').replace('../src/server.js', '@aepkit/binding-ws/server');
    expect(readme).toContain(`\`\`\`ts\n${program}\`\`\``);
    vi.stubEnv('PORT', '0');
    const { hub, binding, server: http } = await import('./example-server.js');
    vi.unstubAllEnvs();
    if (!http.listening) await once(http, 'listening');
    const ws = new WebSocket(`ws://127.0.0.1:${String((http.address() as AddressInfo).port)}/socket`);
    await once(ws, 'open');
    const wire = buildWire();
    for (const text of ['{"type":"hello","versions":["0.1"],"role":"both","identity":{"agent":"a1"}}', '{"type":"subscribe","id":"s"}', wire.json]) ws.send(text);
    const texts: string[] = [];
    ws.on('message', (data: Buffer) => texts.push(data.toString()));
    const closed = once(ws, 'close');
    while (!texts.includes(wire.json)) await once(ws, 'message');
    await hub.close();
    await binding.close();
    http.close();
    await closed;
    expect(JSON.parse(texts.at(-1) ?? '')).toMatchObject({ type: 'closing', reason: 'shutdown' });
  });

  it('fits into 8 KB', () => {
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(8192);
  });
});
