import { adapter as claudeCode, AGENT } from '@aepkit/adapter-claude-code';
import type { Principal } from '@aepkit/access';
import type { AepEvent, WireEvent } from '@aepkit/envelope';
import { type EventQuery, type History, openHistory } from '@aepkit/history';
import { HubError } from '@aepkit/hub';
import { buildEvent, buildSession, buildWire, tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { type HookIntake, hookIntake, type HookIntakeParts } from '../src/hook-intake.js';

const ANYBODY: Principal = { name: 'anybody', scopes: new Set(['emit']), authenticated: false };
const SOURCE = `aep://box/agent/${AGENT}/session/s`;

function call(hook_event_name: string, members: object = {}, session_id = 's'): object {
  return { session_id, hook_event_name, ...members };
}

/** Keeps Events, and remembers what was made of hooks. */
function intakeOf(history: Pick<History, 'events' | 'sessions' | 'append'> & Partial<Pick<History, 'has'>>, options: Partial<HookIntakeParts> = {}): { intake: HookIntake; made: AepEvent[] } {
  const made: AepEvent[] = [];
  const has = history.has === undefined ? {} : { has: history.has.bind(history) };
  const ingest = async (events: readonly WireEvent[]): Promise<never> => {
    made.push(...events.map(({ event }) => event));
    await history.append(events);
    return undefined as never;
  };
  return { intake: hookIntake({ adapters: [claudeCode.create({ host: 'box' })], history: { has: () => Promise.resolve(false), sessions: (query) => history.sessions(query), events: (query) => history.events(query), ...has }, hub: { ingest }, ...options }), made };
}

async function withHistory(use: (history: History) => Promise<void>): Promise<void> {
  await using dir = await tempDir();
  const history = await openHistory({ path: dir.file('history.sqlite'), buffer: 1_000_000, writer: 'inline' });
  try {
    await use(history);
  } finally {
    await history.close();
  }
}

describe('the first hook of a session after a restart', () => {
  it('goes on behind the last Event, in the run and with the calls that are open', async () => {
    await withHistory(async (history) => {
      const before = intakeOf(history);
      await before.intake.take(AGENT, call('UserPromptSubmit', { prompt_id: 'p' }), ANYBODY);
      await before.intake.take(AGENT, call('PreToolUse', { tool_name: 'T', tool_use_id: 'c', tool_input: {} }), ANYBODY);
      await before.intake.take(AGENT, call('TaskCreated', { task_id: 't' }), ANYBODY);
      const after = intakeOf(history);
      await after.intake.take(AGENT, call('PostToolUse', { tool_name: 'T', tool_use_id: 'c', tool_input: {} }), ANYBODY);
      expect(after.made).toEqual([
        expect.objectContaining({ type: 'tool.completed', seq: before.made.length, run: 'p', cause: before.made.find(({ type }) => type === 'tool.requested')?.id }),
      ]);
    });
  });

  it('reads what changes the state and one Event more, of its own source only', async () => {
    await withHistory(async (history) => {
      const own = { agent: AGENT, session: 's', source: SOURCE };
      await history.append([
        buildWire({ ...own, type: 'run.started', run: 'p', seq: 0, data: {} }),
        ...buildSession(5000, { ...own, first: 1, type: 'progress.status', data: {} }),
        ...buildSession(5000, { session: 's', agent: 'other', source: 'aep://test/agent/other', type: 'run.started', run: 'q', epoch: 9, data: {} }),
        // Of nobody's position: it sorts behind the last.
        buildWire({ ...own, type: 'attention.routed', seq: undefined, data: undefined }),
      ]);
      const queries: EventQuery[] = [];
      let read = 0;
      const { intake, made } = intakeOf({
        sessions: (query) => history.sessions(query),
        append: (batch) => history.append(batch),
        async *events(query = {}) {
          queries.push(query);
          for await (const event of history.events(query)) {
            read += 1;
            yield event;
          }
        },
      });
      await intake.take(AGENT, call('Stop'), ANYBODY);
      expect(made).toEqual([expect.objectContaining({ type: 'run.finished', run: 'p', seq: 5001, source: SOURCE })]);
      expect(read).toBeLessThanOrEqual(3);
      expect(queries).toEqual([expect.objectContaining({ source: SOURCE, types: claudeCode.create({ host: 'box' }).stateTypes }), expect.objectContaining({ source: SOURCE, order: 'descending' })]);
    });
  });

  it('finds its source behind many others of the same name', async () => {
    await withHistory(async (history) => {
      const own = { agent: AGENT, session: 's', source: 'aep://old-name/agent/claude-code/session/s' };
      await history.append([
        buildWire({ ...own, seq: 7 }),
        ...Array.from({ length: 250 }, (_, n) => buildWire({ session: 's', agent: 'other', source: `aep://test/agent/${n}` })),
      ]);
      const { intake, made } = intakeOf(history);
      await intake.take(AGENT, call('Stop', { prompt_id: 'p' }), ANYBODY);
      expect(made).toEqual([expect.objectContaining({ seq: 8, source: own.source })]);
    });
  });

  it('holds one Event at a time, and the hooks of other sessions go on meanwhile', async () => {
    // One object for all Events: whoever keeps it finds the last one only.
    const event = { ...buildEvent({ type: 'run.started', agent: AGENT, session: 's', source: SOURCE, run: 'p', seq: 0, data: {} }) } as Record<string, unknown>;
    const other = Promise.withResolvers<number>();
    const { intake, made } = intakeOf({
      append: () => Promise.resolve(undefined as never),
      sessions: ({ session } = {}) => Promise.resolve(session === 's' ? [{ agent: AGENT, source: SOURCE } as never] : []),
      async *events({ types } = {}) {
        if (types === undefined) return;
        yield { event } as never;
        Object.assign(event, { type: 'tool.completed', run: undefined, seq: 1 });
        other.resolve((await intake.take(AGENT, call('SessionStart', {}, 'other'), ANYBODY)).length);
        yield { event } as never;
      },
    });
    expect(await intake.take(AGENT, call('Stop'), ANYBODY)).toHaveLength(1);
    expect(await other.promise).toBe(1);
    expect(made.map(({ session, type, run, seq }) => [session, type, run, seq])).toEqual([
      ['other', 'session.started', undefined, 0],
      ['s', 'run.finished', 'p', 2],
    ]);
  });
});

const KEYS = Array.from({ length: 10 }, (_, n) => `01JAAA000000000000000000${String(n)}0`);

function records(...calls: readonly object[]): unknown[] {
  const adapter = claudeCode.create({ host: 'elsewhere' });
  return calls.map((payload, n) => JSON.parse(JSON.stringify(adapter.read(payload, { key: KEYS[n] }))) as unknown);
}

const TURN = [
  call('UserPromptSubmit', { prompt_id: 'p' }),
  call('PreToolUse', { tool_name: 'T', tool_use_id: 'c', tool_input: {} }),
  call('PermissionRequest', { tool_name: 'T', tool_input: {} }),
  call('Notification', { notification_type: 'permission_prompt' }),
  call('PostToolUse', { tool_name: 'T', tool_use_id: 'c', tool_input: {} }),
  call('Stop'),
];
const TURN_TYPES = ['run.started', 'tool.requested', 'attention.requested', 'attention.answered', 'attention.resolved', 'tool.completed', 'run.finished'];

describe('records', () => {
  it('become Events in their order, in the place of the call', async () => {
    await withHistory(async (history) => {
      const { intake, made } = intakeOf(history);
      expect(await intake.takeRecords(records(...TURN), ANYBODY)).toEqual({ events: 7, known: 0, refused: [] });
      expect(made.map(({ type }) => type)).toEqual(TURN_TYPES);
      expect(made.map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4, 5, 6]);
      expect([made[0]?.id, made[0]?.source]).toEqual([KEYS[0], SOURCE]);
    });
  });

  it.each([false, true])('that come again give nothing new, wherever the first delivery ended (collector restarted: %s)', async (restarted) => {
    for (let cut = 0; cut <= TURN.length; cut += 1) {
      await withHistory(async (history) => {
        const first = intakeOf(history);
        await first.intake.takeRecords(records(...TURN).slice(0, cut), ANYBODY);
        const second = restarted ? intakeOf(history) : first;
        const { refused } = await second.intake.takeRecords(records(...TURN), ANYBODY);
        expect(refused).toEqual([]);
        const kept = await Array.fromAsync(history.events({ session: 's' }), ({ event }) => event);
        expect([cut, kept.map(({ type }) => type)]).toEqual([cut, TURN_TYPES]);
        expect(kept.map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4, 5, 6]);
      });
    }
  });

  it('that are none are refused with their place, and the others taken', async () => {
    await withHistory(async (history) => {
      const { intake, made } = intakeOf(history);
      const [first, second] = records(...TURN);
      const { events, refused } = await intake.takeRecords([undefined, first, { v: 9 }, second, { ...(second as object), prompt: 'content' }], ANYBODY);
      expect([events, refused.map(({ index, error }) => [index, error.code])]).toEqual([2, [[0, 'invalid-record'], [2, 'invalid-record'], [4, 'invalid-record']]]);
      expect(made.map(({ type }) => type)).toEqual(TURN_TYPES.slice(0, 2));
    });
  });

  it('that the hub refuses cost nobody else', async () => {
    await withHistory(async (history) => {
      const made: AepEvent[] = [];
      const ingest = async (events: readonly WireEvent[]): Promise<never> => {
        if (events.some(({ event }) => event.type === 'tool.requested')) throw new HubError('limit-exceeded', 'too large');
        made.push(...events.map(({ event }) => event));
        await history.append(events);
        return undefined as never;
      };
      const intake = hookIntake({ adapters: [claudeCode.create({ host: 'box' })], history, hub: { ingest } });
      const { events, refused } = await intake.takeRecords(records(...TURN), ANYBODY);
      expect([events, refused.map(({ index }) => index)]).toEqual([6, [1]]);
      expect(made.map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4, 5]);
    });
  });

  it('come again whole after an error that may pass', async () => {
    await withHistory(async (history) => {
      let failures = 1;
      const ingest = async (events: readonly WireEvent[]): Promise<never> => {
        if ((failures -= 1) >= 0) throw new HubError('unavailable', 'the disk is full');
        await history.append(events);
        return undefined as never;
      };
      const intake = hookIntake({ adapters: [claudeCode.create({ host: 'box' })], history, hub: { ingest } });
      await expect(intake.takeRecords(records(...TURN), ANYBODY)).rejects.toMatchObject({ code: 'unavailable' });
      expect(await intake.takeRecords(records(...TURN), ANYBODY)).toMatchObject({ events: 7, known: 0 });
      expect(await Array.fromAsync(history.events({ session: 's' }), ({ event }) => event.seq)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    });
  });

  it('of an agent without a session are known again too', async () => {
    await withHistory(async (history) => {
      const idle = records(call('TeammateIdle'));
      expect(await intakeOf(history).intake.takeRecords(idle, ANYBODY)).toMatchObject({ events: 1 });
      expect(await intakeOf(history).intake.takeRecords(idle, ANYBODY)).toMatchObject({ events: 0, known: 1 });
    });
  });
});

describe('a direct call', () => {
  it.each([false, true])('that comes again with its key is there once (collector restarted: %s)', async (restarted) => {
    await withHistory(async (history) => {
      const first = intakeOf(history);
      expect(await first.intake.take(AGENT, TURN[0], ANYBODY, { key: KEYS[0] })).toHaveLength(1);
      const second = restarted ? intakeOf(history) : first;
      expect(await second.intake.take(AGENT, TURN[0], ANYBODY, { key: KEYS[0] })).toEqual([]);
      expect(await second.intake.takeRecords(records(...TURN), ANYBODY)).toMatchObject({ events: 6, known: 1 });
    });
  });

  it('is refused with a key that is no ULID', async () => {
    await withHistory(async (history) => {
      await expect(intakeOf(history).intake.take(AGENT, TURN[0], ANYBODY, { key: 'again' })).rejects.toMatchObject({ code: 'invalid-key' });
    });
  });

  it('waits for what came before it, and keeps its place among the others that wait', async () => {
    await withHistory(async (history) => {
      const spooled = Promise.withResolvers<undefined>();
      const { intake, made } = intakeOf(history, { ahead: () => spooled.promise });
      const direct = [intake.take(AGENT, TURN[4], ANYBODY), intake.take(AGENT, TURN[5], ANYBODY)];
      await intake.takeRecords(records(...TURN.slice(0, 4)), ANYBODY);
      spooled.resolve(undefined);
      await Promise.all(direct);
      expect(made.map(({ type }) => type)).toEqual(TURN_TYPES);
    });
  });
});
