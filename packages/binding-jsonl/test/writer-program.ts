import { buildWire } from '@aepkit/testkit';

import { JsonlWriter } from '../src/writer.js';

// Appends Events to a file in batches of changing size, and prints how many are acknowledged. Without a count it never stops.
const [path = '', name = '', count = 'Infinity'] = process.argv.slice(2);
const writer = new JsonlWriter({ path });
const last = Number(count);
for (let next = 0; next < last; ) {
  const batch = Array.from({ length: Math.min(last - next, 1 + (next % 7)) }, (_, at) =>
    buildWire({ id: `${name}-${String(next + at)}`, data: { text: 'x'.repeat((next * 37) % 900) } }),
  );
  await writer.append(batch);
  next += batch.length;
  process.stdout.write(`${String(next)}\n`);
}
await writer.close();
