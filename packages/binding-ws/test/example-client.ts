import { connectSocket } from '../src/client-node.js';

export async function follow(url: string, token: string, goOn: (line: string) => boolean): Promise<void> {
  const client = connectSocket({ url, token });
  for await (const item of client.subscribe({ filter: { type: 'attention.*' }, from: 'all' })) {
    if (item.type === 'event' && !goOn(item.event.json)) break;
    else if (item.type === 'gap') console.error('Events may be missing:', item.reason);
    else if (item.type === 'refused') throw new Error(item.detail);
  }
  await client.close();
}
