import type { AepEvent } from '@aepkit/envelope';
import { JsonlLog } from '../src/writer.js';

export async function record(root: string, events: readonly AepEvent[]): Promise<void> {
  await using log = new JsonlLog({ root, rotateBytes: 64 * 1024 * 1024 });
  await log.append(events);
}
