// Opens a store that may be damaged, reads and writes, and prints how that ended: `ok` or an error code.
import { wireEvent } from '@aepkit/envelope';
import { openHistory } from '../../dist/index.js';

try {
  const history = await openHistory({ path: process.argv[2], writer: 'inline' });
  for await (const chunk of history.replay({ type: 'all' }, history.mark())) for (const step of chunk) if (step.type === 'event') void step.event.event;
  for await (const { event } of history.events()) void event;
  for (let seq = 0; seq < 100; seq += 1) {
    await history.append([
      wireEvent({
        aep: '0.1',
        id: `new-${seq}`,
        type: 'tool.requested',
        time: '2026-01-01T00:00:00Z',
        source: 'aep://h/agent/new',
        agent: 'a',
        session: 's1',
        seq,
      }),
    ]);
  }
  await history.sessions();
  await history.close();
  console.log('ok');
} catch (error) {
  console.log(error.code);
}
