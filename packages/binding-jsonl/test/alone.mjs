// Runs where the package is installed alone: see packaging/README.md.
import { logPath } from '@aepkit/binding-jsonl/writer';

const event = (seq) => ({ aep: '0.1', id: `e${seq}`, type: 'tool.requested', time: '2026-01-01T00:00:00Z', source: 'aep://h/agent/a', agent: 'a', session: 's', seq });

export const expected = { counts: [['event', 2]], shown: ['e0', 'e1', 'e2'] };

export async function run({ programs: [{ count }, { record }, { feed }] }) {
  await record('logs', [event(0), event(1)]);
  const path = logPath('logs', event(0));
  const counts = [...(await count(path))];
  const shown = [];
  const showUntil = (last) => ({ id }) => shown.push(id) > 0 && id !== last;
  const position = await feed(path, 'start', showUntil('e1'));
  await record('logs', [event(2)]);
  await feed(path, position, showUntil('e2'));
  return { counts, shown };
}
