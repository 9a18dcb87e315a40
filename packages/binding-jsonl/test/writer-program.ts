import { createInterface } from 'node:readline';

import { buildWire } from '@aepkit/testkit';

import { JsonlWriter } from '../src/writer.js';

// Appends Events to a file in batches of changing size, and prints how many are acknowledged: as many as each line on standard
// input says, or without end where it says so.
const [path = '', name = ''] = process.argv.slice(2);
const writer = new JsonlWriter({ path });
let next = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const last = next + Number(line);
  while (next < last) {
    const batch = Array.from({ length: Math.min(last - next, 1 + (next % 7)) }, (_, at) =>
      buildWire({ id: `${name}-${String(next + at)}`, data: { text: 'x'.repeat((next * 37) % 900) } }),
    );
    await writer.append(batch);
    next += batch.length;
    process.stdout.write(`${String(next)}\n`);
  }
}
await writer.close();
