// Appends batches, several at a time, and prints the number of each that was acknowledged. Ends when it is killed.
import { writeSync } from 'node:fs';
import { createId, wireEvent } from '@aepkit/envelope';
import { openHistory } from '../../dist/index.js';

const [path, round] = [process.argv[2], Number(process.argv[3])];
const history = await openHistory({ path, buffer: 50 });
let seq = 0;
let batch = 0;

async function appendForEver() {
  for (;;) {
    const number = `${round}-${batch++}`;
    const size = 1 + ((batch * 7) % 20);
    const padding = 'x'.repeat((batch * 997) % 4000);
    const events = Array.from({ length: size }, () =>
      wireEvent({
        aep: '0.1',
        id: createId(),
        type: 'tool.requested',
        time: new Date().toISOString(),
        source: `aep://h/agent/a/session/${round}`,
        agent: 'a',
        session: `round-${round}`,
        seq: seq++,
        data: { batch: number, size, padding },
      }),
    );
    await history.append(events);
    writeSync(1, `${number}\n`);
  }
}

await Promise.all([appendForEver(), appendForEver(), appendForEver(), appendForEver()]);
