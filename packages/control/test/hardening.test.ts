import { buildEvent, buildWire, manualClock } from '@aepkit/testkit';
import { afterEach, describe, expect, it } from 'vitest';

import { checkAnswer, createCorrelation, createInbox, createRouter, createSender } from '../src/index.js';
import { commandOf, CORE, peer, requestOf } from './support.js';

const desk = () => peer({ role: 'consumer' });

/** Processor time of a run, in milliseconds. */
function cost(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe('hostile names', () => {
  const names = ['__proto__', 'constructor', 'toString', 'a:b', '3:abc', '\u0000', '../../etc', ' ', 'é\u0301', 'x'.repeat(5_000)];

  it.each(names)('of a session are names like any other: %j', (session) => {
    const router = createRouter();
    const target = peer();
    router.hello(target);
    expect(router.route(commandOf({ session }), desk())).toMatchObject({ code: 'no-route' });
    router.seen(target, buildWire({ session }));
    const command = commandOf({ session });
    expect(router.route(command, desk())).toMatchObject({ type: 'handed' });
    for (const other of names) if (other !== session) expect(router.route(commandOf({ session: other }), desk())).toMatchObject({ code: 'no-route' });
    router.seen(target, buildWire({ type: 'session.ended', session, data: undefined }));
    expect(router.roster()).toEqual([]);
    expect(router.route(command, desk())).toMatchObject({ type: 'handed' });
  });

  it('of sources and ids are told apart wherever the border between them is', () => {
    const clock = manualClock();
    let decided = 0;
    const inbox = createInbox({
      accepts: CORE,
      owns: () => true,
      decide: () => (decided++, { type: 'accepted' }),
      mint: () => buildWire({ type: 'control.accepted', data: undefined }),
      emit: () => undefined,
      now: clock.now,
      timers: clock,
    });
    for (const [source, id] of [['aep:ab', 'c'], ['aep:a', 'bc'], ['aep:a', '6:aep:abc'], ['aep:', 'abc']]) inbox.receive(commandOf({ source, id }));
    expect(decided).toBe(4);
  });
});

describe('memory', () => {
  it('of a router stays within its bounds, whatever one connection says and whoever commands it', () => {
    const router = createRouter({ maxClaims: 3, maxHanded: 2 });
    const target = peer();
    router.hello(target);
    for (let i = 0; i < 100; i++) {
      router.seen(target, buildWire({ session: `s${String(i)}` }));
      router.seen(target, buildWire({ type: 'session.ended', session: `e${String(i)}`, data: undefined }));
    }
    expect(router.roster().map(({ session }) => session)).toEqual(['s97', 's98', 's99']);
    expect(router.route(commandOf({ session: 's0' }), desk())).toMatchObject({ code: 'no-route' });
    const commands = [1, 2, 3].map(() => commandOf({ session: 's99' }));
    for (const each of commands) router.route(each, desk());
    router.seen(target, buildWire({ type: 'session.ended', session: 's99', data: undefined }));
    expect(commands.map((each) => router.route(each, desk()).type)).toEqual(['refused', 'handed', 'handed']);
  });

  it('of a router is bounded in length, and an old session that speaks again claims again', () => {
    const router = createRouter({ maxConnectionLength: 100 });
    const target = peer();
    router.hello(target);
    router.seen(target, buildWire({ session: 'old' }));
    router.seen(target, buildWire({ session: 'x'.repeat(101) }));
    expect(router.roster().map(({ session }) => session)).toEqual(['old']);
    router.seen(target, buildWire({ session: 'y'.repeat(98) }));
    expect(router.roster().map(({ session }) => session.length)).toEqual([98]);
    router.seen(target, buildWire({ session: 'old' }));
    expect(router.roster().map(({ session }) => session)).toEqual(['old']);
  });

  it('of a correlation stays within its bound', () => {
    const it = createCorrelation({ maxCommands: 5 });
    for (let i = 0; i < 1_000; i++) {
      it.push(commandOf({ id: `c${String(i)}` }).event);
      it.push(buildEvent({ type: 'control.accepted', id: `k${String(i)}`, cause: `c${String(i)}`, data: undefined }));
    }
    const found = Array.from({ length: 1_000 }, (_, i) => it.push(buildEvent({ type: 'progress.status', cause: `k${String(i)}`, data: undefined })));
    expect(found.filter((link) => link !== undefined)).toHaveLength(5);
  });
});

describe('a polluted prototype', () => {
  const polluted = Object.prototype as unknown as Record<string, unknown>;
  afterEach(() => {
    for (const key of ['control', 'accepts', 'option', 'text', 'values', 'seq', 'session', 'reason', 'answer', 'id', 'required']) Reflect.deleteProperty(polluted, key);
  });

  it('accepts no command, claims no session, answers no request', () => {
    Object.assign(polluted, { control: { accepts: CORE }, accepts: CORE, option: 'allow', text: 'allow', values: {}, answer: { option: 'allow' }, seq: 4, session: 's1' });
    const router = createRouter();
    const target = peer({ capabilities: {} });
    router.hello(target);
    const idle = buildWire({ type: 'agent.idle', session: undefined, seq: undefined, data: undefined });
    router.seen(target, idle);
    expect(router.roster()).toEqual([]);
    router.seen(target, buildWire());
    expect(router.route(commandOf(), desk())).toMatchObject({ code: 'unsupported' });
    const request = requestOf({ kind: 'permission', options: [{ id: 'allow', label: 'Allow' }] }).event;
    expect(checkAnswer(request, {})).toMatchObject({ type: 'invalid' });
    expect(checkAnswer(request, undefined)).toMatchObject({ type: 'invalid' });
  });

  it('gives no reason to a nack', () => {
    const sender = createSender({ source: 'aep://d/agent/d', agent: 'd', ackWindowMs: Infinity });
    const { id } = sender.command('control.pause', { session: 's1' });
    polluted.reason = 'busy';
    expect(sender.observe(buildEvent({ type: 'control.rejected', cause: id, data: {} }))).toMatchObject({ outcome: { type: 'rejected', reason: undefined } });
  });
});

describe('time', () => {
  it('of routing does not grow with the number of connections and sessions', () => {
    const build = (count: number) => {
      const router = createRouter();
      for (let i = 0; i < count; i++) {
        const target = peer();
        router.hello(target);
        for (let j = 0; j < 5; j++) router.seen(target, buildWire({ session: `s${String(i)}-${String(j)}` }));
      }
      const commands = Array.from({ length: 4_000 }, (_, i) => commandOf({ session: `s${String(i % 100)}-0` }));
      const from = desk();
      return () => {
        for (const each of commands) router.route(each, from);
      };
    };
    const [few, many] = [build(100), build(1_600)];
    few();
    many();
    const [a, b] = [Math.min(cost(few), cost(few)), Math.min(cost(many), cost(many))];
    expect(b).toBeLessThan(8 * a + 20);
  });

  it('of an answer grows with its length, not with its square', () => {
    const form = (count: number) => {
      const fields = Array.from({ length: count }, (_, i) => ({ id: `f${String(i)}`, type: 'select', multi: true, label: 'F', choices: [{ id: 'a', label: 'A' }] }));
      const values = Object.fromEntries(fields.map(({ id }) => [id, ['a', 'a']]));
      const request = requestOf({ kind: 'form', fields }).event;
      return () => checkAnswer(request, { values });
    };
    const [few, many] = [form(250), form(4_000)];
    expect(many()).toMatchObject({ type: 'valid' });
    few();
    const [a, b] = [Math.min(cost(few), cost(few)), Math.min(cost(many), cost(many))];
    expect(b).toBeLessThan(80 * a + 40);
  });
});

describe('text for people', () => {
  it('of refusals and errors holds neither ids nor content of what was refused', () => {
    const router = createRouter();
    const target = peer({ capabilities: {} });
    router.hello(target);
    router.seen(target, buildWire({ session: 'hunter2' }));
    const command = commandOf({ id: 'hunter2', session: 'hunter2', type: 'control.cancel', data: { scope: 'session', reason: 'hunter2' }, capture: 'full' });
    expect(JSON.stringify(router.route(command, desk()))).not.toContain('hunter2');
    const sender = createSender({ source: 'aep://d/agent/d', agent: 'd' });
    try {
      sender.command('control.cancel', { session: 's', capture: 'metadata', data: { scope: 'session', reason: 'hunter2' } });
      expect.unreachable();
    } catch (error) {
      expect(String(error)).not.toContain('hunter2');
    }
  });
});
