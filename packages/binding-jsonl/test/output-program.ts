import { buildSession } from '@aepkit/testkit';

import { JsonlOutput, JsonlWriteError } from '../src/writer.js';

// Writes Events to standard output until nobody reads any more, as a command that is piped into `head` does.
const output = new JsonlOutput(process.stdout);
const events = buildSession(1_000);
try {
  for (let round = 0; round < 100; round += 1) await output.append(events);
} catch (error) {
  if (!(error instanceof JsonlWriteError)) throw error;
  process.stderr.write(`${error.code}\n`);
}
