import { parseEvent } from '@aepkit/envelope';
import { buildWire } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { createRouter, type PolicyRequest, type Refusal, type Router, type RouterOptions } from '../src/index.js';
import { commandOf, CORE, EVERYBODY, NOBODY, peer, principal, type TestPeer } from './support.js';

const sender = peer({ role: 'consumer' });

function bench(options: RouterOptions = {}, ...peers: TestPeer[]): Router {
  const router = createRouter(options);
  for (const each of [sender, ...peers]) router.hello(each);
  return router;
}

function claim(router: Router, connection: TestPeer, session = 's1'): void {
  router.seen(connection, buildWire({ session }));
}

const end = (session = 's1') => buildWire({ type: 'session.ended', session, data: undefined });

describe('a claim', () => {
  it('begins with the first sequenced Event of a session, whatever its type, on an emitter or both connection', () => {
    const [a, b, consumer] = [peer(), peer({ role: 'both' }), peer({ role: 'consumer' })];
    const router = bench({}, a, b, consumer);
    router.seen(a, buildWire({ type: 'tool.completed', session: 'one' }));
    router.seen(b, buildWire({ session: 'two' }));
    router.seen(consumer, buildWire({ session: 'three' }));
    expect(router.roster().map(({ session }) => session)).toEqual(['one', 'two']);
  });

  it('does not come of Events without a position, nor of agent-scoped ones', () => {
    const a = peer();
    const router = bench({}, a);
    router.seen(a, buildWire({ type: 'attention.routed', subject: 'r', seq: undefined, data: undefined }));
    router.seen(a, buildWire({ type: 'agent.idle', session: undefined, seq: undefined, data: undefined }));
    expect(router.roster()).toEqual([]);
  });

  it('is one per connection and session, whatever the number of Events and of sources', () => {
    const a = peer();
    const router = bench({}, a);
    for (let seq = 0; seq < 3; seq++) router.seen(a, buildWire({ seq, source: `aep://h/agent/a${String(seq)}` }));
    expect(router.roster()).toHaveLength(1);
    expect(router.stats()).toMatchObject({ claims: 1, connections: 2 });
  });

  it('is released by the end of its session, and late Events of that do not bring it back', () => {
    const a = peer();
    const router = bench({}, a);
    claim(router, a);
    claim(router, a, 's2');
    router.seen(a, end());
    claim(router, a);
    expect(router.roster().map(({ session }) => session)).toEqual(['s2']);
    expect(router.route(commandOf(), sender)).toMatchObject({ code: 'no-route' });
  });

  it('comes back with a session that is started again behind its end, which an agent does that resumes one', () => {
    const a = peer();
    const router = bench({}, a);
    const say = (type: string, seq: number, epoch = 0): void => {
      router.seen(a, buildWire({ type, session: 's1', seq, epoch, data: undefined }));
    };
    const claimed = (): boolean => router.roster().length === 1;
    say('session.started', 0);
    say('session.ended', 5);
    for (const [type, seq] of [['session.started', 0], ['control.rejected', 6], ['session.started', 5]] as const) say(type, seq);
    expect(claimed()).toBe(false);
    say('session.started', 7);
    expect(claimed()).toBe(true);
    say('tool.requested', 8);
    expect(router.route(commandOf(), sender)).toEqual({ type: 'handed', connection: a.id });
    say('session.ended', 5);
    expect(claimed()).toBe(true);
    say('session.ended', 9);
    expect(claimed()).toBe(false);
    say('session.started', 0, 1);
    expect(claimed()).toBe(true);
  });

  it('of others is not released by the end of the session on another connection', () => {
    const [a, b] = [peer(), peer()];
    const router = bench({}, a, b);
    claim(router, a);
    router.seen(b, end());
    expect(router.route(commandOf(), sender)).toEqual({ type: 'handed', connection: a.id });
  });

  it('is released by disconnect, after which nothing of the connection counts', () => {
    const a = peer();
    const router = bench({}, a);
    claim(router, a);
    router.closed(a);
    claim(router, a);
    router.closed(a);
    expect(router.roster()).toEqual([]);
    expect(router.route(commandOf(), sender)).toMatchObject({ code: 'no-route' });
    expect(router.stats()).toMatchObject({ connections: 1, claims: 0 });
  });

  it('on a reconnect counts anew, also of a session that ended on the connection before', () => {
    const [a, again] = [peer(), peer()];
    const router = bench({}, a);
    router.seen(a, end());
    router.closed(a);
    router.hello(again);
    claim(router, again);
    expect(router.route(commandOf(), sender)).toEqual({ type: 'handed', connection: again.id });
  });
});

describe('a command', () => {
  it('goes to the one claimant and to nobody else, with the bytes of its sender [C-043, C-045]', () => {
    const [a, b] = [peer(), peer()];
    const router = bench({}, a, b);
    claim(router, a);
    claim(router, b, 's2');
    const text = `{ "aep":"0.1",\n "id":"c-1", "type":"control.cancel", "time":"2026-01-01T00:00:00Z", "source":"aep://d/agent/d", "agent":"d",\r\n "session":"s1", "data":{"scope":"session","n":10000000000000000001} }`;
    const command = parseEvent(text);
    expect(router.route(command, sender)).toEqual({ type: 'handed', connection: a.id });
    expect(a.got).toEqual([command]);
    expect(a.got[0]?.received).toBe(text);
    expect([b.got, sender.got]).toEqual([[], []]);
  });

  it.each([
    ['without authentication, on this machine too', NOBODY],
    ['without authentication, whatever the scopes', principal('x', ['emit', 'observe', 'control'], false)],
    ['without the scope control', principal('x', ['emit', 'observe'])],
  ])('of a sender %s reaches nobody [C-026, C-036]', (_, who) => {
    const a = peer();
    const router = bench({}, a);
    claim(router, a);
    expect(router.route(commandOf(), peer({ principal: who }))).toMatchObject({ type: 'refused', code: 'unauthorized' });
    expect(a.got).toEqual([]);
  });

  it('is not delivered to a claimant that is not authenticated [C-028]', () => {
    const a = peer({ principal: NOBODY });
    const router = bench({}, a);
    claim(router, a);
    expect(router.route(commandOf(), sender)).toMatchObject({ code: 'unauthorized' });
    expect(a.got).toEqual([]);
  });

  it('for a session that nobody connected here claims has no route [C-037]', () => {
    const a = peer();
    const router = bench({}, a);
    claim(router, a, 'another');
    expect(router.route(commandOf(), sender)).toMatchObject({ code: 'no-route' });
    expect(a.got).toEqual([]);
  });

  it.each([
    ['strangers', {}, {}],
    ['namesakes', { agent: 'a1', instance: 'i' }, { agent: 'a1', instance: 'i' }],
  ])('for a session that two claim reaches neither of the %s; down to one, the retry is delivered [C-046, C-040]', (_, one, two) => {
    const [a, b] = [peer(one), peer(two)];
    const router = bench({}, a, b);
    claim(router, a);
    claim(router, b);
    const command = commandOf();
    expect(router.route(command, sender)).toMatchObject({ code: 'ambiguous' });
    expect([a.got, b.got]).toEqual([[], []]);
    router.closed(a);
    expect(router.route(command, sender)).toEqual({ type: 'handed', connection: b.id });
    expect(b.got).toEqual([command]);
  });

  it.each([
    ['a type that is not listed', { control: { accepts: ['control.cancel'] } }],
    ['a type that a pattern would match', { control: { accepts: ['control.*', 'control'] } }],
    ['an empty list', { control: { accepts: [] } }],
    ['a list that is none', { control: { accepts: 'control.pause' } }],
    ['no list', { control: {} }],
    ['no control', {}],
    ['no capabilities', undefined],
    ['capabilities of another kind', 'control.pause'],
    ['an inherited list', Object.create({ control: { accepts: CORE } })],
  ])('is refused as unsupported for its target, which declares %s [C-031, C-032]', (_, capabilities) => {
    const a = peer({ capabilities });
    const router = bench({}, a);
    claim(router, a);
    expect(router.route(commandOf(), sender)).toMatchObject({ code: 'unsupported' });
    expect(a.got).toEqual([]);
  });

  it('of a vendor passes the same gate [C-056]', () => {
    const a = peer({ capabilities: { control: { accepts: ['x.acme.control.rewind'] } } });
    const router = bench({}, a);
    claim(router, a);
    expect(router.route(commandOf({ type: 'x.acme.control.rewind' }), sender)).toMatchObject({ type: 'handed' });
    expect(router.route(commandOf({ type: 'x.acme.control.forward' }), sender)).toMatchObject({ code: 'unsupported' });
  });

  it('is judged by the hello of the claimant here, not by what somebody else declares [C-032]', () => {
    const [a, other] = [peer({ capabilities: { control: { accepts: ['control.cancel'] } } }), peer()];
    const router = bench({}, a, other);
    claim(router, a);
    claim(router, other, 's2');
    expect(router.route(commandOf(), sender)).toMatchObject({ code: 'unsupported' });
  });

  it('that is none, or names no session, reaches nobody', () => {
    const a = peer();
    const router = bench({}, a);
    claim(router, a);
    for (const wire of [buildWire(), buildWire({ type: 'control.accepted', data: undefined })]) {
      expect(router.route(wire, sender)).toMatchObject({ code: 'no-route' });
    }
    const bare = { event: { ...commandOf().event }, json: '{}' };
    Reflect.deleteProperty(bare.event, 'session');
    expect(router.route(bare, sender)).toMatchObject({ code: 'no-route' });
    expect(a.got).toEqual([]);
  });

  it('has no route when the connection of its target takes nothing any more, and is not remembered there', () => {
    const a = peer();
    const router = bench({}, a);
    claim(router, a);
    a.behave = 'full';
    const command = commandOf();
    expect(router.route(command, sender)).toMatchObject({ code: 'no-route' });
    router.seen(a, end());
    a.behave = 'take';
    expect(router.route(command, sender)).toMatchObject({ code: 'no-route' });
  });

  it('counts as handed when nobody knows what was written, since a refused one must not be executed', () => {
    const a = peer();
    const router = bench({}, a);
    claim(router, a);
    a.behave = 'throw';
    expect(router.route(commandOf(), sender)).toEqual({ type: 'handed', connection: a.id });
  });
});

describe('a retry', () => {
  it('of a delivered command is delivered again [C-048]', () => {
    const a = peer();
    const router = bench({}, a);
    claim(router, a);
    const command = commandOf();
    for (let i = 0; i < 3; i++) expect(router.route(command, sender)).toMatchObject({ type: 'handed' });
    expect(a.got).toEqual([command, command, command]);
  });

  it('goes to the same connection after the end of the session, where nobody else claims it [C-065]', () => {
    const [a, b] = [peer(), peer()];
    const router = bench({}, a, b);
    claim(router, a);
    claim(router, b, 's2');
    const command = commandOf();
    router.route(command, sender);
    router.seen(a, end());
    expect(router.route(command, sender)).toEqual({ type: 'handed', connection: a.id });
    expect(a.got).toEqual([command, command]);
    expect(router.route(commandOf({ id: 'fresh' }), sender)).toMatchObject({ code: 'no-route' });
    expect(router.route(commandOf({ id: command.event.id, source: 'aep://other/agent/o' }), sender)).toMatchObject({ code: 'no-route' });
    // Nobody owns that session, and who got the first copy is not asked about it.
    expect(router.route(commandOf({ id: command.event.id, session: 'nobodys' }), sender)).toMatchObject({ code: 'no-route' });
  });

  it('goes to a new claimant, and with two is refused, after the end of the session', () => {
    const [a, b, c] = [peer(), peer(), peer()];
    const router = bench({}, a, b, c);
    claim(router, a);
    const command = commandOf();
    router.route(command, sender);
    router.seen(a, end());
    claim(router, b);
    expect(router.route(command, sender)).toEqual({ type: 'handed', connection: b.id });
    claim(router, c);
    expect(router.route(command, sender)).toMatchObject({ code: 'ambiguous' });
    router.seen(b, end());
    router.seen(c, end());
    expect(router.route(command, sender)).toEqual({ type: 'handed', connection: a.id });
  });

  it('has no route when the connection that got the first copy is gone', () => {
    const a = peer();
    const router = bench({}, a);
    claim(router, a);
    const command = commandOf();
    router.route(command, sender);
    router.seen(a, end());
    router.closed(a);
    expect(router.route(command, sender)).toMatchObject({ code: 'no-route' });
  });

  it('is authorised like a first copy', () => {
    const a = peer();
    let answer: 'allow' | 'deny' = 'allow';
    const router = bench({ allow: () => answer }, a);
    claim(router, a);
    const command = commandOf();
    router.route(command, sender);
    router.seen(a, end());
    answer = 'deny';
    expect(router.route(command, sender)).toMatchObject({ code: 'unauthorized' });
    expect(router.route(command, peer({ principal: NOBODY }))).toMatchObject({ code: 'unauthorized' });
    expect(a.got).toHaveLength(1);
  });
});

describe('a policy', () => {
  it('decides by principal, command and target, ahead of everything that would tell who is there [C-041, C-036]', () => {
    const seen: PolicyRequest[] = [];
    const [a, b] = [peer(), peer()];
    const router = bench(
      {
        allow: (request) => {
          seen.push(request);
          return request.command.event.type === 'control.pause' ? 'allow' : 'deny';
        },
      },
      a,
      b,
    );
    claim(router, a);
    claim(router, b, 's2');
    claim(router, a, 's2');
    for (const session of ['s1', 's2', 'nobody']) {
      expect(router.route(commandOf({ session, type: 'control.resume' }), sender)).toMatchObject({ code: 'unauthorized' });
    }
    expect([a.got, b.got]).toEqual([[], []]);
    const command = commandOf({ run: 'r1' });
    expect(router.route(command, sender)).toMatchObject({ type: 'handed' });
    expect(seen.at(-1)).toEqual({ principal: EVERYBODY, command, target: { session: 's1', run: 'r1', claimants: [a] } });
    expect(seen.map(({ target }) => target.claimants.length)).toEqual([1, 2, 0, 1]);
  });

  it.each([
    ['throws', () => { throw new Error('down'); }],
    ['says something else', () => 'yes' as 'allow'],
    ['says nothing', () => undefined as unknown as 'allow'],
    ['promises', () => Promise.resolve('allow') as unknown as 'allow'],
  ])('denies when it %s', (_, allow) => {
    const a = peer();
    const router = bench({ allow }, a);
    claim(router, a);
    expect(router.route(commandOf(), sender)).toMatchObject({ code: 'unauthorized' });
    expect(a.got).toEqual([]);
  });
});

describe('a probe', () => {
  it('asks the older claimants at once when another one claims their session, and all when a command finds several', () => {
    const probed: string[] = [];
    const [a, b] = [peer(), peer()];
    const router = bench({ probe: ({ id }) => probed.push(id) }, a, b);
    claim(router, a);
    claim(router, a);
    expect(probed).toEqual([]);
    claim(router, b);
    claim(router, b);
    expect(probed).toEqual([a.id]);
    router.route(commandOf(), sender);
    expect(probed).toEqual([a.id, a.id, b.id]);
  });

  it('may close what it asks about within the call', () => {
    const [a, b] = [peer(), peer()];
    const router: Router = bench({ probe: (connection) => connection.id === a.id && router.closed(connection) }, a, b);
    claim(router, a);
    claim(router, b);
    expect(router.route(commandOf(), sender)).toEqual({ type: 'handed', connection: b.id });
  });
});

describe('refusals', () => {
  it('are told with command and sender, so that an operator can keep a record of his own [C-063]', () => {
    const told: Refusal[] = [];
    const a = peer();
    const router = bench({ onRefusal: (refusal) => told.push(refusal) }, a);
    const command = commandOf();
    const answer = router.route(command, sender);
    claim(router, a);
    a.behave = 'full';
    router.route(command, sender);
    expect(told).toEqual([
      { ...answer, command, from: sender },
      { type: 'refused', code: 'no-route', detail: 'the connection of the owner takes nothing any more', command, from: sender },
    ]);
    expect(router.stats()).toMatchObject({ refused: 2, handed: 0 });
  });
});

describe('the roster', () => {
  it('has one entry per live claim, with what each connection declared, verbatim, and nothing else', () => {
    const control = { accepts: ['control.cancel', 7, 'x.y'], ack_window_ms: 5, extra: { deep: [1] } };
    const full = peer({ agent: 'a', instance: 'i', capabilities: { control, emits: ['tool'], capture: ['full'] } });
    const bare: TestPeer = peer({ capabilities: undefined });
    Reflect.deleteProperty(bare, 'agent');
    const router = bench({}, full, bare);
    claim(router, full, 'x');
    claim(router, bare, 'x');
    claim(router, full, '__proto__');
    const roster = router.roster();
    expect(roster).toEqual([
      { session: 'x', agent: 'a', instance: 'i', control, emits: ['tool'] },
      { session: '__proto__', agent: 'a', instance: 'i', control, emits: ['tool'] },
      { session: 'x' },
    ]);
    expect(Object.keys(roster[2] ?? {})).toEqual(['session']);
    expect(roster[0]?.control).toBe(control);
  });

  it('is a snapshot', () => {
    const a = peer();
    const router = bench({}, a);
    claim(router, a);
    const before = router.roster();
    router.closed(a);
    expect(before).toHaveLength(1);
    expect(router.roster()).toEqual([]);
  });
});
