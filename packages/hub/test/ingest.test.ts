import { buildSession, buildWire } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';
import { type Commands, HubError, type Ingress, type PeerConnection } from '../src/index.js';
import { bench, EVERYTHING, POST, principal, settle, TestSink } from './support.js';

const COMMAND = { type: 'control.cancel', seq: undefined, data: { scope: 'run' } };

function peer(role: PeerConnection['role'] = 'both'): PeerConnection {
  return { id: 'peer', principal: EVERYTHING, role, send: () => true };
}

function overConnection(role?: PeerConnection['role'], by = EVERYTHING): Ingress {
  return { principal: by, via: 'connection', connection: peer(role) };
}

function commandsOf(answer: ReturnType<Commands['route']>): Commands & { readonly calls: string[] } {
  const calls: string[] = [];
  return {
    calls,
    hello: ({ id }) => void calls.push(`hello ${id}`),
    seen: (_, { event }) => void calls.push(`seen ${String(event.session)}`),
    closed: ({ id }) => void calls.push(`closed ${id}`),
    route: ({ event }) => {
      calls.push(`route ${event.id}`);
      return answer;
    },
    roster: () => [],
  };
}

async function refusal(promise: Promise<unknown>): Promise<HubError> {
  const error: unknown = await promise.then(
    () => new Error('was taken'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof HubError)) throw error;
  return error;
}

describe('ingest', () => {
  it('answers after the commit, with what became of each Event', async () => {
    const { hub, log } = bench();
    const [one, two] = buildSession(2) as [ReturnType<typeof buildWire>, ReturnType<typeof buildWire>];
    let answered = false;
    const receipt = hub.ingest([one, two, one], POST).then((each) => {
      answered = true;
      return each;
    });
    await settle();
    expect(answered).toBe(false);
    log.commit();
    expect((await receipt).admissions).toEqual(['admitted', 'admitted', 'duplicate']);
  });

  it('takes an Event that it holds already as a success [B-031]', async () => {
    const { publish } = bench();
    const event = buildWire();
    expect(await publish(event)).toEqual(['admitted']);
    expect(await publish(event)).toEqual(['duplicate']);
  });

  it('keeps the order within a batch and between batches, to the log and to consumers [B-020]', async () => {
    const { hub, log } = bench();
    const sink = new TestSink();
    hub.connect({ sink, principal: EVERYTHING }).subscribe({ id: 's' });
    const events = buildSession(9);
    const receipts = [0, 3, 6].map((at) => hub.ingest(events.slice(at, at + 3), POST));
    log.commit();
    await Promise.all(receipts);
    expect(sink.ids).toEqual(events.map(({ event }) => event.id));
    expect(sink.writes).toHaveLength(1);
  });

  it('takes an empty batch without asking the log', async () => {
    const { hub, log } = bench();
    expect(await hub.ingest([], POST)).toEqual({ admissions: [] });
    expect(log.waiting).toBe(0);
  });

  it.each([
    ['post', principal('observe', 'control')],
    ['adapter', principal()],
    ['link', principal('observe')],
  ] as const)('refuses Events over %s without the scope emit and admits nothing of the batch [B-026]', async (via, by) => {
    const { hub, log } = bench();
    const error = await refusal(hub.ingest(buildSession(2), { principal: by, via }));
    expect(error).toMatchObject({ code: 'unauthorized', index: 0 });
    expect(log.waiting).toBe(0);
  });

  it('refuses what is no Event with its text, and names its place', async () => {
    const { hub, log } = bench();
    for (const bad of [undefined, null, 7, {}, { json: '{}' }, { event: {}, json: '{}' }, { event: { type: 'tool.requested' } }]) {
      const error = await refusal(hub.ingest([buildWire(), bad as never], POST));
      expect(error).toMatchObject({ code: 'invalid-event', index: 1 });
    }
    expect(log.waiting).toBe(0);
  });

  it('answers a log that fails with unavailable, and fans nothing out [B-227]', async () => {
    const { hub, log, publish } = bench();
    const sink = new TestSink();
    hub.connect({ sink, principal: EVERYTHING }).subscribe({ id: 's' });
    log.failing = new Error('disk full');
    const lost = hub.ingest(buildSession(3), POST);
    log.commit();
    const error = await refusal(lost);
    expect(error).toMatchObject({ code: 'unavailable' });
    expect(error.cause).toBe(log.failing);
    expect(sink.seen).toEqual([]);
    log.failing = undefined;
    const kept = buildWire({ session: 'after' });
    await publish(kept);
    expect(sink.ids).toEqual([kept.event.id]);
    expect(hub.stats()).toMatchObject({ refused: 1, ingested: 1, uncommittedBytes: 0 });
  });

  it('bounds the bytes that wait for their commit, at the limit and one beyond', async () => {
    const [one, two, three] = buildSession(3) as [never, never, never];
    const size = (one as { json: string }).json.length;
    const { hub, log } = bench({ maxUncommittedBytes: 2 * size });
    const first = hub.ingest([one], POST);
    const second = hub.ingest([two], POST);
    expect(await refusal(hub.ingest([three], POST))).toMatchObject({ code: 'overloaded' });
    log.commit();
    await Promise.all([first, second]);
    const third = hub.ingest([three], POST);
    log.commit();
    expect((await third).admissions).toEqual(['admitted']);
  });

  it('lets a batch beyond that bound pass where it is alone: it could never pass otherwise', async () => {
    const { hub, log } = bench({ maxUncommittedBytes: 1 });
    const receipt = hub.ingest(buildSession(5), POST);
    log.commit();
    expect((await receipt).admissions).toHaveLength(5);
  });

  it('has Events in a replay that is asked for in the turn of their answer [B-216]', async () => {
    const { hub, log } = bench();
    const sink = new TestSink();
    const event = buildWire();
    const asked = hub.ingest([event], POST).then(() => hub.connect({ sink, principal: EVERYTHING }).subscribe({ id: 's', from: 'all' }));
    log.commit();
    await asked;
    await settle();
    expect(sink.ids).toEqual([event.event.id]);
  });
});

describe('commands', () => {
  it.each(['post', 'adapter'] as const)('are refused over %s with their index, and with them the batch [B-026, C-027]', async (via) => {
    const { hub, log } = bench();
    for (const type of ['control.cancel', 'control.pause', 'control.resume', 'control.attention.respond', 'x.acme.control.reboot']) {
      const error = await refusal(hub.ingest([buildWire(), buildWire({ ...COMMAND, type }), buildWire()], { principal: EVERYTHING, via }));
      expect(error).toMatchObject({ code: 'command-refused', index: 1 });
    }
    expect(log.waiting).toBe(0);
  });

  it('are not what acks and attention.routed are: those are taken', async () => {
    const { publish } = bench();
    const events = [
      buildWire({ type: 'control.accepted', cause: 'c1', data: undefined }),
      buildWire({ type: 'control.rejected', cause: 'c2', data: { reason: 'busy' } }),
      buildWire({ type: 'attention.routed', seq: undefined, data: undefined }),
    ];
    expect(await publish(...events)).toEqual(['admitted', 'admitted', 'unbuffered']);
  });

  it('are recorded and shown where they come over a link, and never routed [B-221]', async () => {
    const commands = commandsOf({ type: 'handed', connection: 'x' });
    const { hub, log } = bench({ commands });
    const sink = new TestSink();
    hub.connect({ sink, principal: EVERYTHING }).subscribe({ id: 's' });
    const command = buildWire(COMMAND);
    const receipt = hub.ingest([buildWire(), command], { principal: EVERYTHING, via: 'link', connection: peer() });
    log.commit();
    await receipt;
    expect(sink.ids).toContain(command.event.id);
    expect(commands.calls).toEqual([]);
  });

  it('find no route where the endpoint has no command side', async () => {
    const { hub } = bench();
    const error = await refusal(hub.ingest([buildWire(COMMAND)], overConnection()));
    expect(error).toMatchObject({ code: 'command-refused', index: 0, refusal: { code: 'no-route' } });
  });

  it.each([
    ['not authenticated', { ...EVERYTHING, authenticated: false }],
    ['without the scope control', principal('emit', 'observe')],
  ])('reach no target from a peer %s [B-212, C-026, C-036]', async (_, by) => {
    const commands = commandsOf({ type: 'handed', connection: 'x' });
    const { hub, log } = bench({ commands });
    const error = await refusal(hub.ingest([buildWire(COMMAND)], overConnection('both', by)));
    expect(error).toMatchObject({ code: 'command-refused', refusal: { code: 'unauthorized' } });
    expect(commands.calls).toEqual([]);
    expect(log.waiting).toBe(0);
  });

  it('need no scope emit: a sender owns no session', async () => {
    const commands = commandsOf({ type: 'handed', connection: 'x' });
    const { hub, log } = bench({ commands });
    const receipt = hub.ingest([buildWire(COMMAND)], overConnection('consumer', principal('control')));
    log.commit();
    expect((await receipt).admissions).toHaveLength(1);
  });

  it('are decided, handed over and appended in one turn, in this order [C-044]', () => {
    const commands = commandsOf({ type: 'handed', connection: 'x' });
    const { hub, log } = bench({ commands });
    const command = buildWire(COMMAND);
    const append = log.append.bind(log);
    log.append = (events) => {
      commands.calls.push('append');
      return append(events);
    };
    void hub.ingest([command], overConnection());
    expect(commands.calls).toEqual([`route ${command.event.id}`, 'append']);
  });

  it('enter no history where they are refused [C-035]', async () => {
    const commands = commandsOf({ type: 'refused', code: 'ambiguous', detail: 'two claimants' });
    const { hub, log } = bench({ commands });
    const error = await refusal(hub.ingest([buildWire(COMMAND)], overConnection()));
    expect(error).toMatchObject({ code: 'command-refused', detail: 'two claimants', refusal: { type: 'refused', code: 'ambiguous' } });
    expect(log.waiting).toBe(0);
  });

  it('come alone: a batch with one is refused before anything is handed over', async () => {
    const commands = commandsOf({ type: 'handed', connection: 'x' });
    const { hub } = bench({ commands });
    const error = await refusal(hub.ingest([buildWire(), buildWire(COMMAND)], overConnection()));
    expect(error).toMatchObject({ code: 'command-refused', index: 1 });
    expect(commands.calls).toEqual([]);
  });
});

describe('claims', () => {
  it('are told for sequenced Events of an emitter connection only [B-084, B-221]', () => {
    const commands = commandsOf({ type: 'handed', connection: 'x' });
    const { hub } = bench({ commands });
    const events = [
      buildWire({ session: 'mine' }),
      buildWire({ type: 'agent.idle', session: undefined, seq: undefined, data: undefined }),
      buildWire({ type: 'attention.routed', session: 'theirs', seq: undefined, data: undefined }),
    ];
    void hub.ingest(events, POST);
    void hub.ingest(events, { principal: EVERYTHING, via: 'adapter' });
    void hub.ingest(events, { principal: EVERYTHING, via: 'link', connection: peer() });
    void hub.ingest(events, overConnection('consumer'));
    expect(commands.calls).toEqual([]);
    void hub.ingest(events, overConnection('emitter'));
    expect(commands.calls).toEqual(['seen mine']);
  });

  it('that fail do not fail the Event', async () => {
    const incidents: string[] = [];
    const commands = { ...commandsOf({ type: 'handed', connection: 'x' }), seen: () => { throw new Error('boom'); } };
    const { hub, log } = bench({ commands, onIncident: ({ type }) => incidents.push(type) });
    const receipt = hub.ingest([buildWire()], overConnection());
    log.commit();
    await receipt;
    expect(incidents).toEqual(['commands-failed']);
  });
});
