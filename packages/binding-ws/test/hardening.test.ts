import type { Socket } from 'node:net';

import { createRouter } from '@aepkit/control';
import { type EventLog, memoryLog } from '@aepkit/hub';
import { ReplayBuffer } from '@aepkit/replay-buffer';
import { buildSession, buildWire, manualClock, turn } from '@aepkit/testkit';
import { afterEach, describe, expect, it } from 'vitest';

import { BOTH, clientFrame, closeAll, CONSUMER, EMITTER, type Endpoint, endpoint, ids, opened, settle } from './server-support.js';

afterEach(closeAll);

/** Turns the event loop until the condition holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await turn();
}

const hello = clientFrame(JSON.stringify(BOTH));

describe('a peer that does not read', () => {
  const flood = async (severity: string): Promise<{ readonly server: Endpoint; readonly heap: number; readonly ended: boolean }> => {
    const server = await endpoint({ hub: { maxQueueBytes: 256 * 1024, closeTimeoutMs: 50 }, ws: { closeGraceMs: 50 } });
    const raw = await server.raw();
    raw.write(hello);
    raw.write(clientFrame('{"type":"subscribe","id":"s"}'));
    await raw.until(/"subscribed"/);
    raw.stall();
    let ended = false;
    raw.socket.on('close', () => (ended = true));
    const session = buildSession(20, { severity, data: { text: 'x'.repeat(50_000) } });
    let most = 0;
    for (let round = 0; round < 15; round++) {
      await server.emit(...session);
      await turn();
      most = Math.max(most, server.hub.stats().queuedBytes);
    }
    return { server, heap: most, ended };
  };

  it('is closed within bounded memory where nothing may be lost, although its socket is full [B-181, B-226]', async () => {
    const { server, heap } = await flood('notice');
    await until(() => server.binding.connections === 0);
    expect(heap).toBeLessThan(2 * 1024 * 1024);
    expect(server.hub.stats()).toMatchObject({ connections: 0, closed: { 'slow-consumer': 1 } });
  });

  it('loses what may be lost, and stays [B-226]', async () => {
    const { server, heap } = await flood('info');
    expect(heap).toBeLessThan(2 * 1024 * 1024);
    expect(server.hub.stats()).toMatchObject({ connections: 1 });
    expect(server.hub.stats().dropped).toBeGreaterThan(50);
  });

  it('is not read either, once its answers fill up', async () => {
    const server = await endpoint({ hub: { commands: createRouter(), closeTimeoutMs: 50 }, ws: { maxBufferedBytes: 100_000, maxUncommittedBytes: 200_000 } });
    const raw = await server.raw();
    raw.write(hello);
    await raw.until(/"hello"/);
    raw.stall();
    const ping = clientFrame(JSON.stringify({ type: 'ping', t: 'x'.repeat(30_000) }));
    let taken = 0;
    // Until the kernel takes no more of either direction.
    while (raw.socket.writableLength < 1_000_000 && taken < 100_000_000) {
      raw.write(ping);
      taken += ping.length;
      await turn();
    }
    expect(taken).toBeLessThan(100_000_000);
    expect(server.binding.connections).toBe(1);
  });

  it('may sit on a replay, which waits and then ends [B-226]', async () => {
    const server = await endpoint({ hub: { replayStallMs: 100, closeTimeoutMs: 50 }, ws: { closeGraceMs: 50 } });
    for (let i = 0; i < 20; i++) await server.emit(...buildSession(20, { first: i * 20, data: { text: 'x'.repeat(50_000) } }));
    const raw = await server.raw();
    raw.stall();
    raw.write(hello);
    raw.write(clientFrame('{"type":"subscribe","id":"s","from":"all"}'));
    await until(() => server.hub.stats().closed['replay-stalled'] === 1);
    await until(() => server.binding.connections === 0);
    expect(server.hub.stats().queuedBytes).toBe(0);
  });
});

describe('a peer that is gone', () => {
  it('is found by its silence, although its socket stands [B-064]', async () => {
    const server = await endpoint({ ws: { pingMs: 20, idleTimeoutMs: 60, closeGraceMs: 20 }, hub: { commands: createRouter() } });
    const raw = await server.raw();
    raw.write(hello);
    raw.write(clientFrame(buildWire({ seq: 0 }).json));
    await raw.until(/"hello"/);
    raw.stall();
    await until(() => server.hub.stats().connections === 1);
    await until(() => server.binding.connections === 0);
    const peer = await server.client({ hello: CONSUMER });
    peer.say({ type: 'roster', id: 'r' });
    expect(await peer.until(({ type }) => type === 'roster')).toMatchObject({ entries: [] });
  });

  it('is not mistaken for one whose runtime answers by itself', async () => {
    const clock = manualClock();
    const server = await endpoint({
      ws: { now: () => clock.now(), timers: { setTimeout: (run, ms) => clock.setTimeout(run, ms), clearTimeout: (timer) => clock.clearTimeout(timer as number | undefined) } },
    });
    const sockets: Socket[] = [];
    server.server.on('connection', (socket: Socket) => sockets.push(socket));
    const peer = await server.client({ hello: CONSUMER });
    for (let i = 0; i < 10; i++) {
      const before = sockets[0]?.bytesRead ?? 0;
      await clock.advance(30_000);
      await until(() => (sockets[0]?.bytesRead ?? 0) > before);
    }
    expect(peer.ws.readyState).toBe(peer.ws.OPEN);
    expect(server.binding.connections).toBe(1);
  });

  it('may reset its socket at any time', async () => {
    const server = await endpoint();
    for (const after of [0, 1, 5, 20]) {
      const raw = await server.raw();
      raw.write(hello);
      for (let i = 0; i < after; i++) raw.write(clientFrame(buildWire().json));
      raw.socket.resetAndDestroy();
    }
    await until(() => server.binding.connections === 0);
    expect(server.hub.stats().connections).toBe(0);
  });

  it('that closes gets nothing behind our close frame, leaves the hub at once, and loses nothing it sent before', async () => {
    const server = await endpoint({ ws: { closeGraceMs: 50 } });
    const raw = await server.raw();
    // It never ends its side of the socket.
    raw.socket.removeAllListeners('end');
    raw.write(hello);
    raw.write(clientFrame('{"type":"subscribe","id":"s"}'));
    await raw.until(/"subscribed"/);
    raw.write(Buffer.concat([clientFrame('{"type":"ping","t":"early"}'), clientFrame(buildWire().json), clientFrame('{"type":"ping","t":"late"}'), clientFrame(Buffer.from([0x03, 0xe8]), { opcode: 8 })]));
    await until(() => server.hub.stats().connections === 0);
    await server.emit(buildWire());
    await until(() => server.binding.connections === 0);
    const said = Buffer.from(raw.received(), 'latin1');
    expect(said.subarray(-4)).toEqual(Buffer.from([0x88, 0x02, 0x03, 0xe8]));
    expect(server.hub.stats().admitted).toBe(2);
  });

  it('leaves half a message behind', async () => {
    const server = await endpoint();
    const raw = await server.raw();
    raw.write(hello);
    await raw.until(/"hello"/);
    raw.write(clientFrame(buildWire().json).subarray(0, 50));
    raw.end();
    await until(() => server.binding.connections === 0);
    expect(server.hub.stats().admitted).toBe(0);
  });
});

describe('a message in parts', () => {
  it('is one message wherever it is cut, in the middle of a character too', async () => {
    const server = await endpoint();
    const text = buildWire({ id: 'e', data: { text: 'aé€😀' } }).json;
    const bytes = Buffer.from(text);
    const cuts = [...bytes.keys()].slice(-40);
    const raw = await server.raw();
    raw.write(hello);
    raw.write(clientFrame('{"type":"subscribe","id":"s"}'));
    for (const [i, cut] of cuts.entries()) {
      const whole = Buffer.from(text.replace('"id":"e"', `"id":"e${String(i).padStart(2, '0')}"`));
      const at = cut + 2;
      raw.write(Buffer.concat([clientFrame(whole.subarray(0, at), { fin: false }), clientFrame('', { opcode: 9 }), clientFrame(whole.subarray(at), { opcode: 0 })]));
    }
    await raw.until(new RegExp(`"id":"e${String(cuts.length - 1)}"`));
    expect(server.hub.stats().admitted).toBe(cuts.length);
    expect(Buffer.from(raw.received(), 'latin1').toString().split('aé€😀')).toHaveLength(cuts.length + 1);
  });

  it('may come byte by byte', async () => {
    const server = await endpoint();
    const raw = await server.raw();
    raw.socket.setNoDelay(true);
    for (const byte of Buffer.concat([hello, clientFrame('{"type":"ping","t":"é"}')])) {
      raw.write(new Uint8Array([byte]));
      await turn();
    }
    await raw.until(/"pong"/);
  });

  it('without end is cut off, in tiny parts on many connections as well', async () => {
    const server = await endpoint({ ws: { maxMessageBytes: 256 * 1024 } });
    const part = clientFrame('x', { opcode: 0, fin: false });
    const parts = Buffer.concat(Array.from({ length: 10_000 }, () => part));
    const raws = [];
    for (let i = 0; i < 10; i++) {
      const raw = await server.raw();
      raw.write(hello);
      raw.write(clientFrame('x', { fin: false }));
      raw.write(parts);
      raws.push(raw);
    }
    for (const raw of raws) expect(Buffer.from(await raw.closed(), 'latin1').includes(Buffer.from([0x03, 0xf0]))).toBe(true);
    const large = await server.raw();
    large.write(hello);
    for (let i = 0; i < 5; i++) large.write(clientFrame('x'.repeat(60_000), { opcode: i === 0 ? 1 : 0, fin: false }));
    expect(Buffer.from(await large.closed(), 'latin1').includes(Buffer.from([0x03, 0xf1]))).toBe(true);
  });

  it('that takes too long ends the connection, however lively', async () => {
    const server = await endpoint({ ws: { messageTimeoutMs: 100, pingMs: 10, idleTimeoutMs: 5_000, closeGraceMs: 20 } });
    const raw = await server.raw();
    raw.write(hello);
    await raw.until(/"hello"/);
    const frame = clientFrame('x'.repeat(100_000));
    let at = 0;
    const timer = setInterval(() => raw.write(frame.subarray(at, ++at)), 5);
    const said = await raw.closed();
    clearInterval(timer);
    expect(said).toMatch(/"closing","reason":"message-timeout"/);
  });

  it('costs the one that holds most its connection where all together hold too much', async () => {
    const server = await endpoint({ ws: { maxUnfinishedBytes: 300_000 } });
    const small = await server.raw();
    const large = await server.raw();
    for (const raw of [small, large]) {
      raw.write(hello);
      await raw.until(/"hello"/);
    }
    const frame = clientFrame('x'.repeat(150_000));
    small.write(frame.subarray(0, 100_000));
    large.write(clientFrame('x'.repeat(1_000_000)).subarray(0, 600_000));
    await large.closed();
    expect(server.binding.connections).toBe(1);
    small.write(frame.subarray(100_000));
    await small.until(/invalid-message/);
    const again = await server.client({ hello: CONSUMER });
    again.say({ type: 'ping' });
    await again.until(({ type }) => type === 'pong');
  });
});

describe('a flood', () => {
  it('of small Events is taken in order, and others are served meanwhile', async () => {
    const server = await endpoint({ ws: { maxUncommittedBytes: 50_000 } });
    const other = await server.client({ hello: CONSUMER });
    const peer = await server.client({ hello: EMITTER });
    const session = buildSession(3_000);
    for (const { json } of session) peer.ws.send(json);
    peer.say({ type: 'ping', t: 'end' });
    other.say({ type: 'ping', t: 'meanwhile' });
    await other.until(({ type }) => type === 'pong');
    await peer.until(({ type }) => type === 'pong');
    other.say({ type: 'subscribe', id: 's', from: 'all' });
    await other.until(({ seq }) => seq === 2_999);
    expect(other.said.flatMap(({ seq }) => (seq === undefined ? [] : [seq]))).toEqual(session.map((_, i) => i));
  });

  it('keeps its order whatever the log takes its time for', async () => {
    const log = memoryLog(new ReplayBuffer({}));
    let last = Promise.resolve();
    let random = 7;
    const slow: EventLog = {
      buffer: log.buffer,
      mark: () => log.mark(),
      onCommit: (listener) => log.onCommit(listener),
      replay: (...from) => log.replay(...from),
      append: (batch) => {
        const before = last;
        random = (random * 48_271) % 2_147_483_647;
        const turns = random % 4;
        const kept = before.then(async () => {
          for (let i = 0; i < turns; i++) await turn();
          return log.append(batch);
        });
        last = kept.then(() => undefined);
        return kept;
      },
    };
    const server = await endpoint({ hub: { log: slow } });
    const peer = await server.client({ hello: BOTH });
    peer.say({ type: 'subscribe', id: 's' });
    for (const [i, { json }] of buildSession(100).entries()) {
      peer.say(json, { type: 'ping', t: i }, { type: 'subscribe', id: `s${String(i)}`, filter: null });
      if (i % 7 === 0) await turn();
    }
    await peer.until(({ id, type }) => type === 'error' && id === 's99');
    const answers = peer.said.flatMap(({ type, t, id }) => (type === 'pong' ? [`pong ${String(t)}`] : type === 'error' ? [`error ${String(id)}`] : []));
    expect(answers).toEqual(Array.from({ length: 100 }, (_, i) => [`pong ${String(i)}`, `error s${String(i)}`]).flat());
    expect(peer.said.flatMap(({ seq }) => (seq === undefined ? [] : [seq]))).toEqual(Array.from({ length: 100 }, (_, i) => i));
    for (const [i, { type, t }] of peer.said.entries()) {
      if (type === 'pong') expect(peer.said.slice(0, i).some(({ seq }) => seq === t)).toBe(true);
    }
  });

  it('of requests costs what its bounds allow', async () => {
    const peer = await opened({ hubOptions: { maxSubscriptions: 10 } });
    await peer.say(...Array.from({ length: 500 }, (_, i) => ({ type: 'subscribe', id: `s${String(i)}`, from: 'all' })));
    const said = peer.heard();
    expect(said.filter(({ type }) => type === 'subscribed')).toHaveLength(10);
    expect(said.filter(({ code }) => code === 'limit-exceeded')).toHaveLength(490);
    expect(peer.hub.stats().subscriptions).toBe(10);
  });

  it('of pings by the protocol ends the connection, and no other', async () => {
    const server = await endpoint();
    const raw = await server.raw();
    raw.write(hello);
    const ping = clientFrame('x'.repeat(125), { opcode: 9 });
    const other = await server.client({ hello: CONSUMER });
    raw.write(Buffer.concat(Array.from({ length: 5_000 }, () => ping)));
    expect(Buffer.from(await raw.closed(), 'latin1').length).toBeLessThan(5_000 * 127);
    other.say({ type: 'ping' });
    await other.until(({ type }) => type === 'pong');
    await until(() => server.binding.connections === 1);
  });

  it('of connections that say nothing ends at the deadline', async () => {
    const server = await endpoint({ ws: { helloTimeoutMs: 50, closeGraceMs: 20 } });
    const raws = await Promise.all(Array.from({ length: 20 }, () => server.raw()));
    raws[0]?.write(clientFrame('{"type":"hello"', { fin: false }));
    for (const raw of raws) expect(await raw.closed()).toMatch(/"hello-required"/);
    await until(() => server.binding.connections === 0);
  });
});

describe('hostile content', () => {
  it.each([
    ['nesting', `{"type":"subscribe","id":"s","filter":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'invalid-filter'],
    ['nesting in an Event', `{"type":"tool.requested","id":"s","data":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`, 'invalid-event'],
    ['positions', JSON.stringify({ type: 'subscribe', id: 's', from: Array.from({ length: 20_000 }, (_, i) => ({ session: String(i), epoch: 0, seq: 1 })) }), 'limit-exceeded'],
    ['values', JSON.stringify({ type: 'subscribe', id: 's', filter: { agent: Array.from({ length: 50_000 }, String) } }), 'limit-exceeded'],
    ['a long subscribe', JSON.stringify({ type: 'subscribe', id: 's', filter: { agent: 'x'.repeat(2_000_000) } }), 'limit-exceeded'],
    ['digits', `{"type":"subscribe","id":"s","filter":{"epoch":${'9'.repeat(100_000)}}}`, 'invalid-filter'],
    ['a member named __proto__', '{"type":"subscribe","id":"s","filter":{"__proto__":{"agent":"a"}}}', 'invalid-filter'],
    ['a repeated member', '{"type":"subscribe","id":"s","filter":{"agent":"a","agent":"b"}}', 'invalid-filter'],
    ['half a surrogate pair', '{"type":"subscribe","id":"s","filter":{"agent":"\\ud800"}}', 'invalid-filter'],
  ])('of too much %s is refused in-band', async (_, text, code) => {
    const peer = await opened();
    await peer.say(text, { type: 'ping', t: 'alive' });
    const [error, pong] = peer.heard();
    expect(error).toMatchObject({ type: 'error', code });
    expect(error?.id ?? error?.cause).toBe('s');
    expect(pong).toEqual({ type: 'pong', t: 'alive' });
    expect(peer.hub.stats().subscriptions).toBe(0);
  });

  it('takes thousands of positions, whatever the names', async () => {
    const peer = await opened();
    await peer.say({ type: 'subscribe', id: 's', from: Array.from({ length: 5_000 }, (_, i) => ({ session: `a session with a long name ${String(i)}`, epoch: 0, seq: 1 })) });
    expect(peer.heard()).toEqual([{ type: 'subscribed', id: 's' }]);
  });

  it('of a hello changes no prototype', async () => {
    const peer = await opened({ hello: CONSUMER });
    await peer.say('{"type":"ping","__proto__":{"polluted":true},"t":{"__proto__":{"polluted":true}}}');
    expect(peer.wire.texts.at(-1)).toBe('{"type":"pong","t":{"__proto__":{"polluted":true}}}');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('never reaches a subscription of another session', async () => {
    const peer = await opened({ hello: CONSUMER });
    await peer.say({ type: 'subscribe', id: 's', filter: { session: 'mine' } });
    await peer.emit(...buildSession(3, { session: 'other' }), ...buildSession(1, { session: 'mine' }), ...buildSession(2, { session: 'mine2' }));
    await settle();
    expect(peer.heard().flatMap(({ session }) => session ?? [])).toEqual(['mine']);
  });

  it('never leaves a token in what is said', async () => {
    const server = await endpoint({ access: { tokens: [{ name: 'x', token: 'secret-token-0123456789abcdef012345', scopes: ['observe'] }] } });
    const peer = await server.client({ hello: CONSUMER, query: '?access_token=secret-token-0123456789abcdef012345' });
    peer.say('odd', { type: 'subscribe', id: 's', filter: 1 }, buildWire().json);
    await peer.until(({ code }) => code === 'unauthorized');
    expect(peer.texts.join('')).not.toContain('secret-token');
    expect(ids(peer.said)).toEqual([]);
  });
});
