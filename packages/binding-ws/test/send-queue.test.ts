import { buildWire } from '@aepkit/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { scripted, turn } from './scripted-socket.js';

const emitter = { role: 'both' as const, identity: { agent: 'a1', instance: 'i' } };
const event = (seq: number, extra: object = {}) => buildWire({ seq, id: `e${String(seq)}`, ...extra });
const size = (wire: { json: string }): number => Buffer.byteLength(wire.json) + 512;

/** Whether a promise has settled by now. */
async function settled(promise: Promise<unknown>): Promise<boolean> {
  let done = false;
  void promise.then(
    () => (done = true),
    () => (done = true),
  );
  await turn();
  return done;
}

describe('send', () => {
  it('waits for the connection, writes the texts as they are, and resolves with the pong behind them', async () => {
    const { client, socket } = scripted(emitter);
    const text = '{ "aep":"0.1","id":"z","type":"tool.requested","time":"2026-01-01T00:00:00Z","source":"x:1","agent":"a1","session":"s","seq":0,"big":9007199254740993 }';
    const wire = { ...event(0), json: text };
    const sending = client.send([wire, event(1).event]);
    socket().greet();
    expect(socket().texts.slice(1, 3)).toEqual([text, event(1).json]);
    expect(await settled(sending)).toBe(false);
    expect(client.stats().queuedBytes).toBeGreaterThan(0);
    socket().confirm();
    await sending;
    expect(client.stats().queuedBytes).toBe(0);
    await client.close();
  });

  it('sends again what no pong covered, in order and ahead of what is newer, and nothing else', async () => {
    const { client, socket, clock } = scripted({ ...emitter, maxUnconfirmedBytes: 1 });
    const calls = [0, 1, 2, 3].map((seq) => client.send([event(seq)]));
    socket().greet();
    // One byte of window: one Event at a time.
    expect(socket().frames('tool.requested').map(({ id }) => id)).toEqual(['e0']);
    socket().confirm(1);
    socket().end();
    const late = client.send([event(9)]);
    await clock.advance(250);
    socket().greet();
    for (let i = 0; i < 4; i += 1) socket().confirm();
    expect(socket().frames('tool.requested').map(({ id }) => id)).toEqual(['e1', 'e2', 'e3', 'e9']);
    await Promise.all([...calls, late]);
    await client.close();
  });

  it('fails for the Event that the endpoint names, and keeps the others', async () => {
    const refusals: unknown[] = [];
    const { client, socket } = scripted({ ...emitter, onRefused: (refusal) => void refusals.push(refusal) });
    const sending = client.send([event(0), event(1), event(2)]);
    const next = client.send([event(3)]);
    socket().greet();
    socket().say({ type: 'error', cause: 'e1', code: 'invalid-event', detail: '$.x' }, { type: 'error', cause: 'e0', code: 'other' });
    socket().confirm();
    await expect(sending).rejects.toMatchObject({ code: 'refused', reason: 'other', index: 0 });
    await next;
    expect(refusals).toEqual([
      { type: 'error', cause: 'e1', code: 'invalid-event', detail: '$.x' },
      { type: 'error', cause: 'e0', code: 'other' },
    ]);
    expect(client.stats().queuedBytes).toBe(0);
    await client.close();
  });

  it('takes a call as a whole or not at all', async () => {
    const { client } = scripted({ ...emitter, maxQueuedBytes: size(event(0)) + size(event(1)), maxEventBytes: 5_000 });
    const sending = client.send([event(0)]);
    await expect(client.send([event(1), event(2)])).rejects.toMatchObject({ code: 'queue-full' });
    await expect(client.send([event(1), event(2, { data: { text: 'x'.repeat(5_000) } })])).rejects.toMatchObject({ code: 'too-large', index: 1 });
    await expect(client.send([{ ...event(1).event, id: '' }])).rejects.toMatchObject({ name: 'EnvelopeError' });
    expect(client.stats().queuedBytes).toBe(size(event(0)));
    const last = client.send([event(1)]);
    await client.close();
    await expect(sending).rejects.toMatchObject({ code: 'closed' });
    await expect(last).rejects.toMatchObject({ code: 'closed' });
    await expect(client.send([event(1)])).rejects.toMatchObject({ code: 'closed' });
  });

  it('finds the Event over which the endpoint cuts the connection, and loses that one alone', async () => {
    const { client, socket, clock } = scripted(emitter);
    const calls = [0, 1, 2].map((seq) => client.send([event(seq)]));
    for (const each of calls) each.catch(() => undefined);
    socket().greet();
    socket().end(1009);
    await clock.advance(250);
    socket().greet();
    expect(socket().frames('tool.requested').map(({ id }) => id)).toEqual(['e0']);
    socket().confirm();
    // That one was not it, so both that are left went out.
    expect(socket().frames('tool.requested').map(({ id }) => id)).toEqual(['e0', 'e1', 'e2']);
    socket().end(1009);
    await clock.advance(500);
    socket().greet();
    expect(socket().frames('tool.requested').map(({ id }) => id)).toEqual(['e1']);
    socket().end(1009);
    await clock.advance(1_000);
    socket().greet();
    socket().confirm();
    expect(await Promise.allSettled(calls)).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected', reason: { code: 'too-large', index: 0 } }, { status: 'fulfilled' }]);
    await client.close();
  });

  it('fails with the connection where nothing is to be sent again, and opens one at once', async () => {
    const { client, sockets, socket, clock } = scripted(emitter);
    const first = client.send([event(0)], { resend: false });
    socket().greet();
    socket().end();
    await expect(first).rejects.toMatchObject({ code: 'disconnected', reason: 'written' });
    const second = client.send([event(1)], { resend: false });
    expect(sockets).toHaveLength(2);
    socket().end();
    await expect(second).rejects.toMatchObject({ code: 'disconnected', reason: 'not-written' });
    await clock.advance(60_000);
    socket().greet();
    expect(socket().frames('tool.requested')).toEqual([]);
    await client.close();
  });

  it('gives up with its signal', async () => {
    const { client, socket, clock } = scripted(emitter);
    const stop = new AbortController();
    const written = client.send([event(0)], { signal: stop.signal });
    socket().greet();
    const more = client.send([event(1)]);
    stop.abort(new Error('enough'));
    await expect(written).rejects.toThrow('enough');
    await expect(client.send([event(2)], { signal: stop.signal })).rejects.toThrow('enough');
    socket().end();
    await clock.advance(250);
    socket().greet();
    expect(socket().frames('tool.requested').map(({ id }) => id)).toEqual(['e1']);
    socket().confirm();
    await more;
    expect(client.stats().queuedBytes).toBe(0);
    await client.close();
  });

  it('confirms each Event exactly when a pong of its own connection covers it, whatever happens in between', async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('send' as const), count: fc.integer({ min: 1, max: 3 }) }),
      fc.record({ do: fc.constant('confirm' as const), count: fc.integer({ min: 1, max: 4 }) }),
      fc.constant({ do: 'cut' as const, count: 0 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.integer({ min: 1, max: 4_000 }), async (steps, maxUnconfirmedBytes) => {
        const { client, socket, clock } = scripted({ ...emitter, maxUnconfirmedBytes, minBackoffMs: 100, maxBackoffMs: 100 });
        let seq = 0;
        // The model: what was kept is what a pong covered, and everything is kept once, in order, at the end.
        const kept: string[] = [];
        const calls: { readonly ids: string[]; done: boolean }[] = [];
        const answered = new WeakMap<object, number>();
        const keep = (pings: number): void => {
          const current = socket();
          const done = answered.get(current) ?? 0;
          const until = current.sent.flatMap((frame, index) => (frame.type === 'ping' && String(frame.t).startsWith('kept-') ? [index] : [])).slice(0, done + pings);
          const last = until.at(-1);
          if (last === undefined) return;
          const marks = until.slice(done).map((index) => current.sent[index]!.t);
          for (const { type, id } of current.sent.slice(0, last)) if (type === 'tool.requested' && !kept.includes(id as string)) kept.push(id as string);
          answered.set(current, until.length);
          for (const t of marks) current.say({ type: 'pong', t });
        };
        socket().greet();
        for (const { do: what, count } of steps) {
          if (what === 'send') {
            const events = Array.from({ length: count }, () => event(seq++));
            const call = { ids: events.map(({ event: { id } }) => id), done: false };
            calls.push(call);
            void client.send(events).then(() => (call.done = true), () => undefined);
          } else if (what === 'confirm') keep(count);
          else {
            socket().end();
            await clock.advance(100);
            socket().greet();
          }
          await turn();
          for (const { ids, done } of calls) expect(done).toBe(ids.every((id) => kept.includes(id)));
        }
        for (let rounds = 0; rounds < 100 && calls.some(({ done }) => !done); rounds += 1) {
          keep(1);
          await turn();
        }
        expect(kept).toEqual(Array.from({ length: seq }, (_, index) => `e${String(index)}`));
        expect(calls.every(({ done }) => done)).toBe(true);
        await client.close();
      }),
      { numRuns: 60 },
    );
  });
});

describe('a command', () => {
  const command = (id = 'c1') => buildWire({ id, type: 'control.pause', seq: undefined, data: undefined, agent: 'me', source: 'x:me' });

  it('is sent once the connection is there, behind the subscriptions', async () => {
    const { client, socket } = scripted();
    client.subscribe();
    const sending = client.command(command());
    socket().greet();
    expect(socket().sent.map(({ type }) => type)).toEqual(['hello', 'subscribe', 'control.pause', 'ping']);
    socket().confirm();
    expect(await sending).toEqual({ type: 'sent' });
    await client.close();
  });

  it.each(['no-route', 'unauthorized', 'ambiguous', 'a-code-of-later'])('is refused by any error frame with its id as cause, such as %s [C-038]', async (code) => {
    const { client, socket } = scripted();
    const sending = client.command(command());
    socket().greet();
    socket().say({ type: 'error', cause: 'c1', code, detail: 'because' });
    expect(await sending).toEqual({ type: 'refused', code, detail: 'because' });
    await client.close();
  });

  it('is never sent a second time by itself', async () => {
    const { client, socket, clock } = scripted();
    const sending = client.command(command());
    socket().greet();
    socket().end();
    expect(await sending).toMatchObject({ type: 'unknown' });
    expect(await client.command(command())).toMatchObject({ type: 'not-sent' });
    await clock.advance(250);
    socket().end();
    await clock.advance(60_000);
    socket().greet();
    expect(socket().frames('control.pause')).toEqual([]);
    // Nor was the retry of its sender held back.
    const retry = client.command(command());
    socket().confirm();
    expect(await retry).toEqual({ type: 'sent' });
    await client.close();
  });

  it('reaches a target apart from all that subscriptions see [C-045]', async () => {
    const commands: string[] = [];
    const { client, sockets } = scripted({
      ...emitter,
      capabilities: { control: { accepts: ['control.pause'], ack_window_ms: 5_000 } },
      onCommand: ({ event: { id } }) => {
        commands.push(id);
        throw new Error('of the handler');
      },
    });
    client.subscribe();
    expect(sockets).toHaveLength(2);
    for (const socket of sockets) socket.greet();
    expect(sockets.map((socket) => socket.frames('subscribe').length)).toEqual([0, 1]);
    expect(sockets[0]!.sent[0]).toMatchObject({ role: 'both', capabilities: { control: { accepts: ['control.pause'], ack_window_ms: 5_000 } } });
    expect(sockets[1]!.sent[0]).toMatchObject({ role: 'consumer' });
    sockets[0]!.say(command('mine'), event(0));
    sockets[1]!.say(command('seen'));
    expect(commands).toEqual(['mine']);
    await client.close();
  });
});

describe('roster', () => {
  const entries = [{ session: 's1', agent: 'a1', control: { accepts: ['control.pause'], other: [1] } }];

  it('asks with an id of its own each time, and gives what comes [B-079, B-093]', async () => {
    const { client, socket } = scripted();
    const first = client.roster();
    socket().greet();
    const second = client.roster();
    const ids = socket().frames('roster').map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    socket().say({ type: 'roster', id: 'unknown', entries: [] }, { type: 'roster', id: ids[1], entries: [] }, { type: 'roster', id: ids[0], entries });
    expect(await first).toEqual(entries);
    expect(await second).toEqual([]);
    await client.close();
  });

  it.each([[{}], [undefined], [{ roster: null }]])('does not ask an endpoint that declares %j [B-075, B-078]', async (capabilities) => {
    const { client, socket } = scripted();
    const asking = client.roster();
    socket().greet({ capabilities });
    await expect(asking).rejects.toMatchObject({ code: 'not-offered' });
    expect(socket().frames('roster')).toEqual([]);
    await client.close();
  });

  it('fails with a refusal, a silence, and the connection', async () => {
    const { client, socket, clock } = scripted();
    socket().greet();
    const [refused, silent] = [client.roster(), client.roster()];
    socket().say({ type: 'error', id: 'r-1', code: 'unauthorized', detail: 'no' });
    await expect(refused).rejects.toMatchObject({ code: 'refused', reason: 'unauthorized' });
    void silent.catch(() => undefined);
    await clock.advance(10_000);
    await expect(silent).rejects.toMatchObject({ code: 'timeout' });
    const cut = client.roster();
    socket().end();
    await expect(cut).rejects.toMatchObject({ code: 'disconnected' });
    await expect(client.roster()).rejects.toMatchObject({ code: 'disconnected' });
    await client.close();
  });
});
