import type { Principal } from '@aepkit/access';
import { AGENT, type ClaudeCodeAdapter, STATE_TYPES } from '@aepkit/adapter-claude-code';
import type { AepEvent } from '@aepkit/envelope';
import type { History } from '@aepkit/history';
import type { Hub, LogMark } from '@aepkit/hub';

/** Takes the hook calls of one agent: adapter, history and hub together. */
export interface HookIntake {
  /** Maps one call and keeps its Events; gives how many there were. Rejects with the errors of the adapter and the hub. */
  take(payload: unknown, principal: Principal): Promise<number>;
}

/** What {@link hookIntake} connects. */
export interface HookIntakeParts {
  readonly adapter: ClaudeCodeAdapter;
  readonly history: Pick<History, 'events' | 'sessions'>;
  readonly hub: Pick<Hub, 'ingest'>;
}

/**
 * Makes a {@link HookIntake}. Calls of one session are taken one after the other: hooks are separate processes and
 * overlap, and positions are given in the order of arrival.
 */
export function hookIntake({ adapter, history, hub }: HookIntakeParts): HookIntake {
  const turns = new Map<string, Promise<unknown>>();

  const takeNow = async (session: string, payload: unknown, principal: Principal): Promise<number> => {
    if (!adapter.knows(session)) await adapter.restore(session, eventsOf(history, session));
    const events = adapter.handle(payload);
    if (events.length === 0) return 0;
    try {
      await hub.ingest(events, { principal, via: 'adapter' });
    } catch (error) {
      // The state counts Events that nobody has: what the log holds decides.
      adapter.forget(session);
      throw error;
    }
    return events.length;
  };

  return {
    take(payload, principal) {
      const session = adapter.sessionOf(payload);
      const before = turns.get(session) ?? Promise.resolve();
      const turn = before.catch(() => undefined).then(() => takeNow(session, payload, principal));
      turns.set(session, turn);
      const done = (): void => {
        if (turns.get(session) === turn) turns.delete(session);
      };
      turn.then(done, done);
      return turn;
    },
  };
}

/**
 * What a session is restored from, one Event after the other: sessions grow to hundreds of thousands of Events, and the first
 * hook after a restart waits for this. The last Event comes last, so that what was committed meanwhile counts too.
 */
async function* eventsOf(history: HookIntakeParts['history'], session: string): AsyncGenerator<AepEvent> {
  const source = await newestSource(history, session);
  if (source === undefined) return;
  for await (const { event } of history.events({ session, source, types: STATE_TYPES })) yield event;
  for await (const { event } of history.events({ session, source, order: 'descending' })) {
    // Without a position of its own it sorts behind another Event, and may come ahead of the last.
    if (event.seq === undefined) continue;
    yield event;
    return;
  }
}

/** The source that the agent wrote the session under last. Other agents may use the same name. */
async function newestSource(history: HookIntakeParts['history'], session: string): Promise<string | undefined> {
  let before: LogMark | undefined;
  for (;;) {
    const page = await history.sessions({ session, ...(before === undefined ? {} : { before }) });
    const found = page.find(({ agent }) => agent === AGENT);
    if (found !== undefined || page.length === 0) return found?.source;
    before = page.at(-1)?.mark;
  }
}
