import type { AepEvent } from '@aepkit/envelope';
import { followJsonl, type JsonlPosition } from '../src/follow.js';

export async function feed(path: string, from: JsonlPosition | 'start', show: (event: AepEvent) => boolean): Promise<JsonlPosition | undefined> {
  const follower = followJsonl(path, { from });
  for await (const item of follower) if (item.type === 'event' && !show(item.event.event)) break;
  return follower.position();
}
