import type { Principal } from '@aepkit/access';
import { AdapterError, type HookAdapter, type HookRecord, mayBeSilent, parseRecord, type ReadOptions } from '@aepkit/adapter-kit';
import { EnvelopeError, type WireEvent } from '@aepkit/envelope';
import type { History } from '@aepkit/history';
import { type Hub, HubError } from '@aepkit/hub';

import { handledKeys } from './handled-keys.js';
import { eventsOf } from './session-history.js';

/** A record that is not taken, whoever brings it again. */
export interface RefusedRecord {
  /** Its place in the batch, from 0. */
  readonly index: number;
  readonly error: AdapterError | EnvelopeError | HubError;
}

/** What became of a batch of records. */
export interface RecordsTaken {
  /** Events that were kept. */
  readonly events: number;
  /** Records that were had before. */
  readonly known: number;
  readonly refused: readonly RefusedRecord[];
}

/** How a call is taken. */
export interface TakeOptions extends ReadOptions {
  /** Told of the Events of the call in the turn of its session, ahead of their commit. Must not throw. */
  readonly placed?: (events: readonly WireEvent[]) => void;
}

/** Takes the hook calls of agents: adapters, history and hub together. */
export interface HookIntake {
  /** Agents that there are adapters of. */
  readonly agents: readonly string[];
  /**
   * Maps one call and keeps its Events; gives them, none for a call that was had before. Rejects with the errors of the adapter and the hub.
   */
  take(agent: string, payload: unknown, principal: Principal, options?: TakeOptions): Promise<readonly WireEvent[]>;
  /** Takes the record of one call as {@link HookIntake.take} does the call. */
  takeRecord(record: unknown, principal: Principal, options?: Pick<TakeOptions, 'placed'>): Promise<readonly WireEvent[]>;
  /**
   * Takes records of calls in their order. Rejects where a record could be taken another time; then all of them may be brought again, and
   * those that were taken are known.
   */
  takeRecords(records: readonly unknown[], principal: Principal): Promise<RecordsTaken>;
  /**
   * Keeps Events that come from somewhere else than a hook, in the turn of their session: `make` gets the adapter with the state of the
   * session, and mints them. Rejects with the errors of `make` and the hub; then none is kept.
   */
  inTurn(agent: string, session: string, make: (adapter: HookAdapter) => readonly WireEvent[], principal: Principal): Promise<readonly WireEvent[]>;
}

/** What {@link hookIntake} connects. */
export interface HookIntakeParts {
  /** One of each agent. */
  readonly adapters: readonly HookAdapter[];
  readonly history: Pick<History, 'events' | 'sessions' | 'has'>;
  readonly hub: Pick<Hub, 'ingest'>;
  /** Called ahead of a call that comes directly: what waits for this collector elsewhere comes first. */
  readonly ahead?: () => Promise<void>;
}

interface Placed {
  readonly index: number;
  readonly record: HookRecord;
}

/**
 * Makes a {@link HookIntake}. Calls of one session are taken one after the other: hooks are separate processes and
 * overlap, and positions are given in the order of arrival.
 *
 * A call with a key is taken once. The log knows those that gave an Event, so that this holds over a restart.
 */
export function hookIntake({ adapters, history, hub, ahead }: HookIntakeParts): HookIntake {
  const byAgent = new Map(adapters.map((adapter) => [adapter.agent, adapter]));
  const turns = new Map<string, Promise<unknown>>();
  const handled = handledKeys();
  let directCalls: Promise<unknown> = Promise.resolve();

  const adapterOf = (agent: string): HookAdapter => {
    const adapter = byAgent.get(agent);
    if (adapter === undefined) throw new AdapterError('invalid-record', '$.agent', `must be one of ${[...byAgent.keys()].join(', ')}`);
    return adapter;
  };

  const isKnown = async (adapter: HookAdapter, record: HookRecord): Promise<boolean> => {
    if (record.key === undefined) return false;
    if (handled.has(record.session, record.key)) return true;
    for (const { source, id } of adapter.identities(record)) if (await history.has(source, id)) return true;
    return false;
  };

  const restore = async (adapter: HookAdapter, session: string): Promise<void> => {
    if (!adapter.knows(session)) await adapter.restore(session, eventsOf(history, adapter, session));
  };

  /** Those records of one session that were not had before. */
  const newOnes = async (adapter: HookAdapter, records: readonly Placed[]): Promise<Placed[]> => {
    const fresh: Placed[] = [];
    let seen = false;
    for (const placed of records.toReversed()) {
      if (await isKnown(adapter, placed.record)) seen = true;
      // One that told nothing new left no trace in the log. Where a later call was had, so was this one, and by now it could
      // look like news: the request that made it silent may be closed.
      else if (!(seen && mayBeSilent(placed.record))) fresh.push(placed);
    }
    fresh.reverse();
    // The copy of a call that arrived and was not answered in time comes behind it.
    const keys = new Set<string>();
    return fresh.filter(({ record: { key } }) => key === undefined || (!keys.has(key) && keys.add(key)));
  };

  /** Keeps the Events of records of one session, all or none. */
  const keep = async (adapter: HookAdapter, session: string, records: readonly Placed[], principal: Principal, placed?: TakeOptions['placed']): Promise<readonly WireEvent[]> => {
    const events: WireEvent[] = [];
    try {
      await restore(adapter, session);
      for (const { record } of records) events.push(...adapter.place(record));
      placed?.(events);
      if (events.length > 0) await hub.ingest(events, { principal, via: 'adapter' });
    } catch (error) {
      // The state counts Events that nobody has: what the log holds decides.
      adapter.forget(session);
      throw error;
    }
    for (const { record } of records) if (record.key !== undefined) handled.add(session, record.key);
    return events;
  };

  const takeRun = async (adapter: HookAdapter, session: string, run: readonly Placed[], principal: Principal): Promise<RecordsTaken> => {
    await restore(adapter, session);
    const fresh = await newOnes(adapter, run);
    const known = run.length - fresh.length;
    if (fresh.length === 0) return { events: 0, known, refused: [] };
    try {
      return { events: (await keep(adapter, session, fresh, principal)).length, known, refused: [] };
    } catch (error) {
      if (!isFinal(error)) throw error;
    }
    // One of them cannot be kept, and the others must not suffer for it.
    let events = 0;
    const refused: RefusedRecord[] = [];
    for (const placed of fresh) {
      try {
        events += (await keep(adapter, session, [placed], principal)).length;
      } catch (error) {
        if (!isFinal(error)) throw error;
        refused.push({ index: placed.index, error });
      }
    }
    return { events, known, refused };
  };

  const inTurn = <T>(session: string, take: () => Promise<T>): Promise<T> => {
    const before = turns.get(session) ?? Promise.resolve();
    const turn = before.catch(() => undefined).then(take);
    turns.set(session, turn);
    const done = (): void => {
      if (turns.get(session) === turn) turns.delete(session);
    };
    turn.then(done, done);
    return turn;
  };

  const takeOne = async (adapter: HookAdapter, record: HookRecord, principal: Principal, placed: TakeOptions['placed']): Promise<readonly WireEvent[]> => {
    if (ahead !== undefined) {
      // Outside of the turns, since what comes first takes turns itself; one after the other, since this is the order of arrival.
      const passed = directCalls.then(ahead, ahead);
      directCalls = passed;
      await passed;
    }
    const { session } = record;
    return await inTurn(session, async () => {
      await restore(adapter, session);
      return (await isKnown(adapter, record)) ? [] : await keep(adapter, session, [{ index: 0, record }], principal, placed);
    });
  };

  return {
    agents: [...byAgent.keys()],

    async take(agent, payload, principal, { placed, ...options } = {}) {
      const adapter = adapterOf(agent);
      return await takeOne(adapter, adapter.read(payload, options), principal, placed);
    },

    async takeRecord(value, principal, { placed } = {}) {
      const record = parseRecord(value);
      return await takeOne(adapterOf(record.agent), record, principal, placed);
    },

    async takeRecords(records, principal) {
      const total = { events: 0, known: 0, refused: [] as RefusedRecord[] };
      const placed: Placed[] = [];
      for (const [index, value] of records.entries()) {
        try {
          const record = parseRecord(value);
          adapterOf(record.agent);
          placed.push({ index, record });
        } catch (error) {
          if (!isFinal(error)) throw error;
          total.refused.push({ index, error });
        }
      }
      for (const run of runsOf(placed)) {
        const { agent, session } = run[0].record;
        const adapter = adapterOf(agent);
        const { events, known, refused } = await inTurn(session, () => takeRun(adapter, session, run, principal));
        total.events += events;
        total.known += known;
        total.refused.push(...refused);
      }
      return { ...total, refused: total.refused.sort((a, b) => a.index - b.index) };
    },

    async inTurn(agent, session, make, principal) {
      const adapter = adapterOf(agent);
      return await inTurn(session, async () => {
        try {
          await restore(adapter, session);
          const events = make(adapter);
          if (events.length > 0) await hub.ingest(events, { principal, via: 'adapter' });
          return events;
        } catch (error) {
          adapter.forget(session);
          throw error;
        }
      });
    },
  };
}

/** Whether the same record would be refused again. */
function isFinal(error: unknown): error is RefusedRecord['error'] {
  if (error instanceof HubError) return !['unavailable', 'overloaded', 'closing'].includes(error.code);
  return error instanceof AdapterError || error instanceof EnvelopeError;
}

/** Neighbours of one session, kept together: one commit for all of them. */
function* runsOf(records: readonly Placed[]): Generator<readonly [Placed, ...Placed[]]> {
  let run: [Placed, ...Placed[]] | undefined;
  for (const placed of records) {
    const first = run?.[0].record;
    if (first?.session === placed.record.session && first.agent === placed.record.agent) run?.push(placed);
    else {
      if (run !== undefined) yield run;
      run = [placed];
    }
  }
  if (run !== undefined) yield run;
}
