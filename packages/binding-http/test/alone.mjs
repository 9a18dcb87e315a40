// Runs where the package is installed alone: see packaging/README.md.
import { once } from 'node:events';

import { Hub, memoryLog } from '@aepkit/hub';
import { ReplayBuffer } from '@aepkit/replay-buffer';

const event = (seq) => ({ aep: '0.1', id: `e${seq}`, type: 'tool.requested', time: '2026-01-01T00:00:00Z', source: 'aep://h/agent/a', agent: 'a', session: 's', seq });

export const expected = { accepted: 2, requests: 1 };

export async function run({ programs: [{ listen }, { report }] }) {
  const hub = new Hub({ id: 'here', log: memoryLog(new ReplayBuffer({})) });
  const server = listen(hub, 0);
  await once(server, 'listening');
  const receipt = await report(`http://127.0.0.1:${server.address().port}`, [event(0), event(1)]);
  server.closeAllConnections();
  server.close();
  await hub.close();
  return receipt;
}
