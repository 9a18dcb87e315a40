import { parseEvent } from '@aepkit/envelope';
import { openHistory } from '../src/index.js';

/** Keeps a line of JSON for good, and gives back all that is kept of its session. */
export async function keep(line: string, session: string): Promise<string[]> {
  const history = await openHistory({ path: 'data/history.db', buffer: 10_000 });
  await history.append([parseEvent(line)]);
  const lines = await Array.fromAsync(history.events({ session }), ({ json }) => json);
  await history.close();
  return lines;
}
