import { createRouter } from '@aepkit/control';
import { wireEvent } from '@aepkit/envelope';
import { buildSession, buildWire, turn } from '@aepkit/testkit';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';

import type { WsIncident } from '../src/server.js';
import { BOTH, clientFrame, closeAll, CONSUMER, EMITTER, endpoint, machine, newHub, opened, settle } from './server-support.js';

afterEach(closeAll);

/** Milliseconds of the long run; 0 for the short one that is always done. */
const LONG_MS = Number(process.env.AEPKIT_FUZZ_MS ?? 0);
const runs = (short: number): fc.Parameters<unknown> => (LONG_MS > 0 ? { numRuns: 10_000_000, plugins: [fc.interruptAfterTimeLimit(LONG_MS, { failOnInterrupt: false })] } : { numRuns: short });

const command = wireEvent({ aep: '0.1', id: 'c', type: 'control.cancel', time: '2026-01-01T00:00:00Z', source: 'aep://t', agent: 'a', session: 'mine' }).json;
const SEEDS: readonly string[] = [
  ...[BOTH, CONSUMER, EMITTER].map((hello) => JSON.stringify(hello)),
  '{"type":"subscribe","id":"f","filter":{"session":"mine","severity":{"gte":"info"}},"from":[{"session":"mine","epoch":0,"seq":1}],"capture":"none"}',
  '{"type":"subscribe","id":"g","filter":{"session":"mine"},"from":"all"}',
  '{"type":"unsubscribe","id":"f"}',
  '{"type":"roster","id":"r"}',
  '{"type":"ping","t":12345678901234567890}',
  '{"type":"closing","reason":"x","delivered":[]}',
  '{"type":"error","code":"x","cause":"y"}',
  '{"type":"later","a":[]}',
  buildWire({ id: 'e', session: 'mine', seq: 3, acmecount: 1 }).json,
  buildWire({ id: 'o', type: 'agent.started', session: undefined, seq: undefined }).json,
  command,
];
const TOKENS = ['"type"', '"id"', '"session"', 'null', '{', '}', '[', ']', '"', '\\', '\\ud800', '1e308', '9007199254740993', '-1', '"__proto__"', '"secret"', ',', ':', '\u0000', '\uFEFF', 'all', '.'];

/** A seed with some cuts, copies and foreign pieces. */
const mutated = fc
  .tuple(
    fc.constantFrom(...SEEDS),
    fc.array(fc.tuple(fc.nat(400), fc.nat(20), fc.oneof(fc.constantFrom(...TOKENS, ...SEEDS), fc.string({ unit: 'binary', maxLength: 8 }))), { maxLength: 4 }),
  )
  .map(([seed, edits]) => edits.reduce((text, [at, length, piece]) => `${text.slice(0, at)}${piece}${text.slice(at + length)}`, seed));
const message = fc.oneof({ weight: 3, arbitrary: mutated }, { weight: 2, arbitrary: fc.constantFrom(...SEEDS) }, fc.json(), fc.string({ unit: 'binary' }));

describe('random and mutated messages', () => {
  it('never break a connection, never leak, and leave nothing behind', async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(fc.oneof({ weight: 20, arbitrary: message }, fc.constant('binary' as const)), { maxLength: 30 }), async (greets, messages) => {
        const incidents: WsIncident[] = [];
        const hub = newHub({ hubOptions: { commands: createRouter(), maxSubscriptions: 3 }, buffer: { perSession: 4 } });
        const emitter = await opened({ hub, hello: EMITTER });
        await emitter.emit(...buildSession(6, { session: 'mine' }), ...buildSession(6, { session: 'secret' }));
        const peer = machine({ hub, binding: { onIncident: (incident) => incidents.push(incident) } });
        if (greets) await peer.say(BOTH, { type: 'subscribe', id: 'mine', filter: { session: 'mine' }, from: 'all' });
        for (const each of messages) {
          if (each === 'binary') peer.connection.binary();
          else peer.connection.text(new TextEncoder().encode(each));
        }
        await settle(2);
        await emitter.emit(...buildSession(1, { session: 'mine', first: 6 }), ...buildSession(1, { session: 'secret', first: 6 }));
        const said = peer.heard();
        // A message may subscribe to everything of its own accord; then everything is no leak.
        const watches = said.some(({ type, id }) => type === 'subscribed' && id !== 'mine');
        if (!watches) for (const { type, session } of said) if (type.includes('.')) expect(session).toBe('mine');
        for (const { type, code } of said) {
          expect(type).not.toBe('');
          if (type === 'error') expect(code).toMatch(/^[a-z-]+$/);
        }
        expect(incidents).toEqual([]);
        expect(peer.wire.closed?.code).not.toBe(1011);
        peer.connection.end('shutdown');
        emitter.connection.end('shutdown');
        peer.connection.gone();
        emitter.connection.gone();
        await hub.close();
        expect(hub.stats()).toMatchObject({ connections: 0, subscriptions: 0, queuedBytes: 0, uncommittedBytes: 0 });
        expect(peer.connection.pendingBytes).toBe(0);
        expect(peer.clock.pending()).toBe(0);
        expect(peer.calls).toEqual({ opened: 1, gone: 1 });
      }),
      runs(60),
    );
  }, Math.max(20_000, LONG_MS * 2));
});

describe('random and mutated bytes', () => {
  it('never end the endpoint, and never disturb another connection', async () => {
    const incidents: WsIncident[] = [];
    const server = await endpoint({ hub: { commands: createRouter() }, ws: { onIncident: (incident) => incidents.push(incident), closeGraceMs: 10, helloTimeoutMs: 200 } });
    const witness = await server.client({ hello: CONSUMER });
    const frames = fc.oneof(
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
      fc.tuple(message, fc.constantFrom(0, 1, 1, 1, 1, 2, 8, 9, 10, 3), fc.boolean(), fc.boolean()).map(([text, opcode, fin, mask]) => clientFrame(text.slice(0, 125), { opcode, fin, mask })),
      message.map((text) => clientFrame(text)),
    );
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(frames, { maxLength: 12 }), async (parts) => {
        const raw = await server.raw();
        raw.write(clientFrame(JSON.stringify(BOTH)));
        raw.write(Buffer.concat(parts));
        await turn();
        raw.end();
        await raw.closed();
        const t = ++round;
        witness.say({ type: 'ping', t });
        await witness.until(({ type, t: back }) => type === 'pong' && back === t);
        witness.said.length = 0;
      }),
      runs(40),
    );
    while (server.binding.connections > 1) await turn();
    expect(incidents).toEqual([]);
    expect(server.hub.stats()).toMatchObject({ connections: 1, subscriptions: 0 });
  }, Math.max(20_000, LONG_MS * 2));
});
