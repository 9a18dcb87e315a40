// Runs where the package is installed alone: see packaging/README.md.
import { parseEvent } from '@aepkit/envelope';

const event = (seq) =>
  parseEvent(`{"aep":"0.1","id":"e${seq}","type":"tool.requested","time":"2026-01-01T00:00:00Z","source":"aep://h/agent/a","agent":"a","session":"s","seq":${seq}}`);

export const expected = ['live', 'e0', 'e1', 'all', 'e2'];

export function run({ programs: [{ ways, connected, came }] }) {
  const seen = [];
  const handle = ({ event: { id } }) => void seen.push(id);
  const ask = (resuming) => {
    const [best] = ways(resuming);
    connected(best);
    seen.push(best.resume);
  };
  ask(false);
  for (const seq of [0, 1]) came(event(seq), handle);
  ask(true);
  for (const seq of [0, 1, 2, 1]) came(event(seq), handle);
  return seen;
}
