import { createInterface } from 'node:readline';

import { JsonlWriter } from '../src/writer.js';

// Rotates a file for every line on standard input.
const [path = ''] = process.argv.slice(2);
const writer = new JsonlWriter({ path });
for await (const line of createInterface({ input: process.stdin })) {
  const to = await writer.rotate();
  process.stdout.write(`${line} ${to === undefined ? 'nothing' : 'rotated'}\n`);
}
