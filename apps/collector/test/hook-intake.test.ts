import { AGENT, ClaudeCodeAdapter, STATE_TYPES } from '@aepkit/adapter-claude-code';
import type { Principal } from '@aepkit/access';
import type { AepEvent, WireEvent } from '@aepkit/envelope';
import { type EventQuery, type History, openHistory } from '@aepkit/history';
import { buildEvent, buildSession, buildWire, tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { type HookIntake, hookIntake } from '../src/hook-intake.js';

const ANYBODY: Principal = { name: 'anybody', scopes: new Set(['emit']), authenticated: false };
const SOURCE = `aep://box/agent/${AGENT}/session/s`;

function call(hook_event_name: string, members: object = {}, session_id = 's'): object {
  return { session_id, hook_event_name, ...members };
}

/** Keeps Events, and remembers what was made of hooks. */
function intakeOf(history: Pick<History, 'events' | 'sessions' | 'append'>): { intake: HookIntake; made: AepEvent[] } {
  const made: AepEvent[] = [];
  const ingest = async (events: readonly WireEvent[]): Promise<never> => {
    made.push(...events.map(({ event }) => event));
    await history.append(events);
    return undefined as never;
  };
  return { intake: hookIntake({ adapter: new ClaudeCodeAdapter({ host: 'box' }), history, hub: { ingest } }), made };
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
      await before.intake.take(call('UserPromptSubmit', { prompt_id: 'p' }), ANYBODY);
      await before.intake.take(call('PreToolUse', { tool_name: 'T', tool_use_id: 'c', tool_input: {} }), ANYBODY);
      await before.intake.take(call('TaskCreated', { task_id: 't' }), ANYBODY);
      const after = intakeOf(history);
      await after.intake.take(call('PostToolUse', { tool_name: 'T', tool_use_id: 'c', tool_input: {} }), ANYBODY);
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
      await intake.take(call('Stop'), ANYBODY);
      expect(made).toEqual([expect.objectContaining({ type: 'run.finished', run: 'p', seq: 5001, source: SOURCE })]);
      expect(read).toBeLessThanOrEqual(3);
      expect(queries).toEqual([expect.objectContaining({ source: SOURCE, types: STATE_TYPES }), expect.objectContaining({ source: SOURCE, order: 'descending' })]);
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
      await intake.take(call('Stop', { prompt_id: 'p' }), ANYBODY);
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
        other.resolve(await intake.take(call('SessionStart', {}, 'other'), ANYBODY));
        yield { event } as never;
      },
    });
    expect(await intake.take(call('Stop'), ANYBODY)).toBe(1);
    expect(await other.promise).toBe(1);
    expect(made.map(({ session, type, run, seq }) => [session, type, run, seq])).toEqual([
      ['other', 'session.started', undefined, 0],
      ['s', 'run.finished', 'p', 2],
    ]);
  });
});
