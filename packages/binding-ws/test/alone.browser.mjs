// Runs in a page: see packaging/README.md.
import { connectSocket } from '@aepkit/binding-ws/client';

export const expected = { ids: ['é0', 'é1', 'é2'], sent: true, refused: 'no-route' };

export async function run({ url }) {
  const token = 'the-token-of-the-page-0123456789';
  const client = connectSocket({ url, token, tokenIn: 'query', role: 'both', identity: { agent: 'page' } });
  const ids = [];
  for await (const item of client.subscribe({ filter: { session: 's' }, from: 'all' })) {
    if (item.type === 'event') ids.push(item.event.event.id);
    if (ids.length === 3) break;
  }
  await client.send([{ aep: '0.1', id: 'p0', type: 'tool.requested', time: '2026-01-01T00:00:00Z', source: 'x:page', agent: 'page', session: 'p', seq: 0 }]);
  const receipt = await client.command({ aep: '0.1', id: 'c0', type: 'control.pause', time: '2026-01-01T00:00:00Z', source: 'x:page', agent: 'page', session: 'p' });
  await client.close();
  return { ids, sent: true, refused: receipt.code };
}
