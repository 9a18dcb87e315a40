import type { HookAdapter } from '@aepkit/adapter-kit';
import type { AepEvent } from '@aepkit/envelope';
import type { History } from '@aepkit/history';
import type { LogMark } from '@aepkit/hub';

type Reads = Pick<History, 'events' | 'sessions'>;

/**
 * What a session is restored from, one Event after the other: sessions grow to hundreds of thousands of Events, and the first
 * hook after a restart waits for this. The last Event comes last, so that what was committed meanwhile counts too.
 */
export async function* eventsOf(history: Reads, { agent, stateTypes }: Pick<HookAdapter, 'agent' | 'stateTypes'>, session: string): AsyncGenerator<AepEvent> {
  const source = await newestSource(history, agent, session);
  if (source === undefined) return;
  for await (const { event } of history.events({ session, source, types: stateTypes })) yield event;
  for await (const { event } of history.events({ session, source, order: 'descending' })) {
    // Without a position of its own it sorts behind another Event, and may come ahead of the last.
    if (event.seq === undefined) continue;
    yield event;
    return;
  }
}

/** The source that the agent wrote the session under last. Other agents may use the same name. */
async function newestSource(history: Reads, author: string, session: string): Promise<string | undefined> {
  let before: LogMark | undefined;
  for (;;) {
    const page = await history.sessions({ session, ...(before === undefined ? {} : { before }) });
    const found = page.find(({ agent }) => agent === author);
    if (found !== undefined || page.length === 0) return found?.source;
    before = page.at(-1)?.mark;
  }
}
