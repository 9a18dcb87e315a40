import type { Principal } from '@aepkit/access';
import { AGENT, type ClaudeCodeAdapter } from '@aepkit/adapter-claude-code';
import type { AepEvent } from '@aepkit/envelope';
import type { History } from '@aepkit/history';
import type { Hub } from '@aepkit/hub';

/** Takes the hook calls of one agent: adapter, history and hub together. */
export interface HookIntake {
  /** Maps one call and keeps its Events; gives how many there were. Rejects with the errors of the adapter and the hub. */
  take(payload: unknown, principal: Principal): Promise<number>;
}

/** What {@link hookIntake} connects. */
export interface HookIntakeParts {
  readonly adapter: ClaudeCodeAdapter;
  readonly history: Pick<History, 'events'>;
  readonly hub: Pick<Hub, 'ingest'>;
}

/**
 * Makes a {@link HookIntake}. Calls of one session are taken one after the other: hooks are separate processes and
 * overlap, and positions are given in the order of arrival.
 */
export function hookIntake({ adapter, history, hub }: HookIntakeParts): HookIntake {
  const turns = new Map<string, Promise<unknown>>();

  const takeNow = async (session: string, payload: unknown, principal: Principal): Promise<number> => {
    if (!adapter.knows(session)) adapter.restore(session, await eventsOf(history, session));
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

async function eventsOf(history: Pick<History, 'events'>, session: string): Promise<readonly AepEvent[]> {
  const found: AepEvent[] = [];
  for await (const { event } of history.events({ session })) if (event.agent === AGENT) found.push(event);
  return found;
}
