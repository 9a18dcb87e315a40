// Events of about 650 bytes, of some sessions that take turns.
import { createIdFactory } from '@aepkit/envelope';

export function makeTexts(count, sessions) {
  let now = Date.UTC(2026, 0, 1);
  const createId = createIdFactory({ now: () => now });
  return Array.from({ length: count }, (_, index) => {
    now += 3;
    const session = index % sessions;
    return JSON.stringify({
      aep: '0.1',
      id: createId(),
      type: 'tool.completed',
      time: new Date(now).toISOString(),
      source: `aep://host${session % 10}/agent/claude-code/session/sess-${session}`,
      agent: 'claude-code',
      session: `sess-${session}-0123456789`,
      run: 'run-12345678',
      seq: Math.floor(index / sessions),
      severity: 'info',
      data: { tool: { name: 'shell' }, x: index, padding: 'x'.repeat(330) },
    });
  });
}
