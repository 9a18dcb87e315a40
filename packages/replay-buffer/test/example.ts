import { parseEvent } from '@aepkit/envelope';
import { ReplayBuffer } from '../src/index.js';

const buffer = new ReplayBuffer({ perSession: 1000, bytes: 64 * 1024 * 1024 });

export function* resume(line: string, session: string, epoch: number, seq: number): Generator<string, void, void> {
  buffer.admit(parseEvent(line)); // 'admitted' | 'duplicate' | 'late' | 'unbuffered'
  const replay = buffer.replay({ positions: [{ session, epoch, seq }] }, buffer.order);
  for (const chunk of replay) for (const step of chunk) yield step.type === 'event' ? step.event.json : step.type;
}
