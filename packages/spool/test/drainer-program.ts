// Drains again and again, and says what was delivered; the delivery takes a few turns, so that a signal hits it.
import { setImmediate } from 'node:timers/promises';

import { openSpool } from '../src/index.js';

const [path = '', until = 'Infinity'] = process.argv.slice(2);
const spool = await openSpool({ path });
let delivered = 0;
while (delivered < Number(until)) {
  const outcome = await spool.drain(
    async (lines) => {
      process.stdout.write(`[${lines.join(' ')}]\n`);
      for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    },
    { maxLines: 5 },
  );
  delivered += outcome.delivered;
  if (outcome.delivered === 0) await setImmediate();
}
