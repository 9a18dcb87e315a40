import { parseEvent } from '@aepkit/envelope';
import { ReplayBuffer } from '@aepkit/replay-buffer';
import { Hub, type Ingress, memoryLog, type Sink } from '../src/index.js';

/** Shows a line of JSON to whoever `sink` belongs to, behind everything that was held already. */
export async function show(line: string, sink: Sink, { principal }: Pick<Ingress, 'principal'>): Promise<void> {
  const hub = new Hub({ log: memoryLog(new ReplayBuffer({ perSession: 1_000 })), id: 'relay-1', role: 'relay' });
  hub.connect({ sink, principal }).subscribe({ id: 'tools', filter: { text: '{"type":"tool.*"}' }, from: 'all' });
  await hub.ingest([parseEvent(line)], { principal, via: 'post' });
  await hub.close();
}
