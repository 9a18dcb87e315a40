import { buildWire, turn } from '@aepkit/testkit';
import type { WireEvent } from '@aepkit/envelope';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { SubscribeOptions } from '../src/client.js';
import { collect, scripted, type ScriptedSocket } from './scripted-socket.js';

const SESSIONS = ['s1', 's2', 's3'] as const;
const TYPES = ['tool.requested', 'tool.completed', 'progress.status'] as const;

interface Filter {
  readonly session?: readonly string[];
  readonly type?: readonly string[];
}

/** One subscription at the endpoint: what it is still to be sent. */
interface Served {
  readonly filter: Filter;
  readonly queue: WireEvent[];
}

/**
 * An endpoint that holds everything. `merged`: as ours, it sends replays one after the other, and live Events once per connection, behind
 * them. Otherwise each subscription has a stream of its own, in order, and the network mixes them.
 */
class Endpoint {
  readonly log: WireEvent[] = [];
  readonly #merged: boolean;
  readonly #connections = new Map<ScriptedSocket, { readonly subscriptions: Map<string, Served>; readonly order: WireEvent[]; read: number }>();

  constructor(merged: boolean) {
    this.#merged = merged;
  }

  emit(event: WireEvent): void {
    this.log.push(event);
    for (const { subscriptions, order } of this.#connections.values()) {
      const wanted = [...subscriptions.values()].filter(({ filter }) => matches(filter, event));
      if (this.#merged && wanted.length > 0) order.push(event);
      for (const { queue } of wanted) queue.push(event);
    }
  }

  /** Reads what the client has said on a socket, and sends up to `count` Events. */
  run(socket: ScriptedSocket, count: number, pick: (among: number) => number): void {
    const connection = this.#connections.get(socket) ?? { subscriptions: new Map<string, Served>(), order: [], read: 0 };
    this.#connections.set(socket, connection);
    const { subscriptions, order } = connection;
    // What the client says takes its time.
    const until = count === Infinity ? Infinity : connection.read + pick(3);
    for (; connection.read < Math.min(until, socket.sent.length); connection.read += 1) {
      const frame = socket.sent[connection.read] as { type: string; id: string; filter?: Filter; from?: 'all' | readonly { session: string; seq: number }[] };
      if (frame.type === 'unsubscribe') {
        subscriptions.delete(frame.id);
        socket.say({ type: 'unsubscribed', id: frame.id });
      }
      if (frame.type !== 'subscribe') continue;
      socket.say({ type: 'subscribed', id: frame.id });
      const served: Served = { filter: frame.filter ?? {}, queue: [] };
      subscriptions.set(frame.id, served);
      const { from } = frame;
      if (from === undefined) continue;
      for (const session of SESSIONS) {
        const behind = from === 'all' ? -1 : from.find((position) => position.session === session)?.seq;
        if (behind === undefined) continue;
        const replay = this.log.filter(({ event }) => event.session === session && event.seq! > behind).filter((event) => matches(served.filter, event));
        if (this.#merged) order.push(...replay);
        served.queue.push(...replay);
      }
    }
    for (let sent = 0; sent < count; sent += 1) {
      const queues = this.#merged ? [order] : [...subscriptions.values()].map(({ queue }) => queue);
      const waiting = queues.filter((queue) => queue.length > 0);
      if (waiting.length === 0) return;
      socket.say(waiting[pick(waiting.length)]!.shift());
    }
  }
}

function matches({ session, type }: Filter, { event }: WireEvent): boolean {
  return (session === undefined || session.includes(event.session!)) && (type === undefined || type.includes(event.type));
}

const pinned = (...sessions: string[]): { options: SubscribeOptions; filter: Filter } => ({ options: { sessions }, filter: { session: sessions } });
const typed = (...types: string[]): { options: SubscribeOptions; filter: Filter } => ({
  options: { filter: { type: types }, match: ({ type }) => types.includes(type) },
  filter: { type: types },
});
const narrow = (sessions: string[], ...types: string[]): { options: SubscribeOptions; filter: Filter } => ({
  options: { filter: { type: types }, sessions, match: ({ session, type }) => sessions.includes(session!) && types.includes(type) },
  filter: { session: sessions, type: types },
});
const everything: { options: SubscribeOptions; filter: Filter } = { options: {}, filter: {} };

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('emit' as const), a: fc.nat(2), b: fc.nat(2) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('deliver' as const), a: fc.nat(9), b: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cut' as const), a: fc.nat(9), b: fc.constant(0) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), a: fc.constant(0), b: fc.constant(0) }) },
);

describe.each([
  ['an endpoint like ours', true],
  ['an endpoint that mixes its streams', false],
])('at %s', (_, merged) => {
  it.each([
    ['subscriptions that name their sessions', [pinned('s1'), pinned('s2', 's3')], {}],
    ['subscriptions that nothing tells apart', [everything, pinned('s1'), everything], {}],
    ['subscriptions with functions that overlap', [typed('tool.requested', 'tool.completed'), typed('tool.completed', 'progress.status'), typed('progress.status')], {}],
    ['subscriptions of one session with functions that overlap', [narrow(['s1'], 'tool.completed'), narrow(['s1'], ...TYPES), narrow(['s1', 's2'], 'progress.status')], {}],
    ['the same, without room to part', [narrow(['s1'], 'tool.completed'), narrow(['s1'], ...TYPES)], { maxSockets: 1 }],
    ['subscriptions with functions over a single connection', [typed('tool.requested', 'tool.completed'), typed('tool.completed', 'progress.status')], { maxSockets: 1 }],
    ['a mixture of all', [pinned('s1'), pinned('s1', 's2'), typed('tool.completed'), typed('tool.completed', 'progress.status'), everything], {}],
  ])('%s get each Event once, over all breaks', async (_name, kinds, options) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), fc.infiniteStream(fc.nat(99)), async (steps, chance) => {
        const endpoint = new Endpoint(merged);
        const pick = (among: number): number => chance.next().value! % among;
        const { client, sockets, clock } = scripted({ minBackoffMs: 10, maxBackoffMs: 10, ...options });
        const read = kinds.map(({ options: each }) => collect(client.subscribe({ ...each, from: 'all' })));
        const next = { s1: 0, s2: 0, s3: 0 };
        const alive = (): ScriptedSocket[] => {
          for (const socket of sockets) if (!socket.isOpen && !over.has(socket) && socket.closedWith === undefined) socket.greet();
          return sockets.filter((socket) => socket.isOpen && socket.closedWith === undefined);
        };
        const over = new WeakSet<ScriptedSocket>();
        for (const { do: what, a, b } of steps) {
          const open = alive();
          const socket = open[a % Math.max(1, open.length)];
          if (what === 'emit') {
            const session = SESSIONS[a]!;
            const seq = next[session]++;
            endpoint.emit(buildWire({ session, source: `x:${session}`, seq, id: `${session}-${String(seq)}`, type: TYPES[b]!, data: undefined }));
          } else if (what === 'deliver' && socket !== undefined) endpoint.run(socket, b, pick);
          else if (what === 'cut' && socket !== undefined) {
            over.add(socket);
            socket.end();
          } else await clock.advance(10);
          await turn();
        }
        for (let round = 0; round < 6; round += 1) {
          await clock.advance(10);
          for (const socket of alive()) endpoint.run(socket, Infinity, pick);
          await turn();
        }
        for (const [index, { filter }] of kinds.entries()) {
          const ids = read[index]!.ids();
          const wanted = endpoint.log.filter((event) => matches(filter, event)).map(({ event: { id } }) => id);
          expect(ids.toSorted()).toEqual(wanted.toSorted());
          expect(read[index]!.items.filter(({ type }) => type === 'gap' || type === 'refused')).toEqual([]);
          // Whose order it is, is known where no function is asked.
          if (kinds[index]!.options.match !== undefined) continue;
          for (const session of SESSIONS) expect(ids.filter((id) => id.startsWith(session))).toEqual(wanted.filter((id) => id.startsWith(session)));
        }
        await client.close();
      }),
      { numRuns: Number(process.env.AEPKIT_RUNS ?? 25) },
    );
  });
});
