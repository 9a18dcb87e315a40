import { HubError, type Ingress } from '@aepkit/hub';
import { buildSession, turn } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { linkIntake } from '../src/link-intake.js';
import { watched } from './support.js';

/** A hub that remembers, and fails as it is told. */
function intakeOf(failures: (HubError | Error)[] = [], refuse?: (id: string) => HubError | undefined) {
  const calls: (string[] | { missed: number })[] = [];
  const from: Ingress[] = [];
  const waits: number[] = [];
  const watch = watched();
  const intake = linkIntake({
    hub: {
      ingest: (events, ingress) => {
        const failure = failures.shift() ?? events.map(({ event }) => refuse?.(event.id)).find((each) => each !== undefined);
        if (failure !== undefined) return Promise.reject(failure);
        from.push(ingress);
        calls.push(events.map(({ event }) => String(event.seq)));
        return Promise.resolve({ admissions: events.map(() => 'admitted' as const) });
      },
      missed: ({ seq }) => void calls.push({ missed: seq }),
    },
    log: watch.log,
    upstream: 'up',
    wait: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
  });
  return { intake, calls, from, waits, ...watch };
}

describe('what comes over a link', () => {
  it('goes to the hub in its order, what came in one turn as one batch, as a link', async () => {
    const { intake, calls, from } = intakeOf();
    const events = buildSession(5);
    for (const event of events.slice(0, 3)) void intake.add(event);
    await turn();
    for (const event of events.slice(3)) void intake.add(event);
    await intake.flush();
    expect(calls).toEqual([['0', '1', '2'], ['3', '4']]);
    expect(from[0]).toMatchObject({ via: 'link', principal: { authenticated: true } });
    expect([...(from[0]?.principal.scopes ?? [])]).toEqual(['emit']);
  });

  it('is bounded in a batch, and lets nothing more in while several wait', async () => {
    const { intake, calls } = intakeOf();
    const rooms = buildSession(3_000).map((event) => intake.add(event));
    expect(rooms.filter((room) => room !== undefined).length).toBeGreaterThan(0);
    expect(rooms.slice(0, 1_500).every((room) => room === undefined)).toBe(true);
    await intake.flush();
    expect(calls.map((call) => (call as string[]).length)).toEqual([512, 512, 512, 512, 512, 440]);
    expect(calls.flat()).toEqual(Array.from({ length: 3_000 }, (_, seq) => String(seq)));
  });

  it('waits where the hub is overloaded, and comes again', async () => {
    const { intake, calls, waits } = intakeOf([new HubError('overloaded', 'x'), new HubError('unavailable', 'x')]);
    for (const event of buildSession(2)) void intake.add(event);
    await intake.flush();
    expect([calls, waits.length]).toEqual([[['0', '1']], 2]);
  });

  it('loses one Event and no other where one cannot be taken, and says so', async () => {
    const events = buildSession(3);
    const { intake, calls, said } = intakeOf([], (id) => (id === events[1]?.event.id ? new HubError('invalid-event', 'x') : undefined));
    for (const event of events) void intake.add(event);
    await intake.flush();
    expect(calls).toEqual([['0'], ['2']]);
    expect(said).toHaveLength(1);
  });

  it('goes on behind a failure that nobody expected', async () => {
    const { intake, calls, said } = intakeOf([new Error('out of everything')]);
    void intake.add(buildSession(1)[0]!);
    await intake.flush();
    void intake.add(buildSession(1, { first: 1 })[0]!);
    await intake.flush();
    expect(calls).toEqual([['1']]);
    expect(said).toHaveLength(1);
  });

  it('is dropped where the relay ends', async () => {
    const { intake, calls, waits } = intakeOf([new HubError('closing', 'x')]);
    for (const event of buildSession(2)) void intake.add(event);
    await intake.flush();
    expect([calls, waits]).toEqual([[], []]);
  });

  it('has a loss told behind what came before it', async () => {
    const { intake, calls } = intakeOf();
    for (const event of buildSession(2)) void intake.add(event);
    const told = intake.missed({ session: 's1', epoch: 0, seq: 9 });
    await told;
    void intake.add(buildSession(1, { first: 9 })[0]!);
    await intake.flush();
    expect(calls).toEqual([['0', '1'], { missed: 9 }, ['9']]);
  });
});
