import type { WireEvent } from '@aepkit/envelope';
import { Memory, resumePlan, type ResumeRequest } from '@aepkit/resume';

const memory = new Memory();
export const ways = (resuming: boolean): ResumeRequest[] => resumePlan({ resuming, positions: memory.resumePositions() });
export const connected = ({ resume, positions }: ResumeRequest): void => memory.connected(resume, positions);
export function came(event: WireEvent, handle: (event: WireEvent) => void): void {
  if (memory.judge(event).verdict !== 'new') return;
  handle(event);
  memory.taken(event);
}
