// Emits into a spool whose endpoint is gone, and says after each flush how far that was, until it is killed. With --end the endpoint is
// back: a file.
import { fileEpochs } from '../dist/epoch-file.js';
import { createEmitter } from '../dist/index.js';
import { jsonlTransport } from '../dist/jsonl.js';
import { spoolTransport } from '../dist/spool.js';

const args = process.argv.slice(2);
const ending = args[0] === '--end';
const [folder, name] = ending ? args.slice(1) : args;
const inner = ending ? jsonlTransport({ path: `${folder}/log.jsonl` }) : { send: () => Promise.reject(new Error('gone')) };
const transport = await spoolTransport({ path: `${folder}/spool`, transport: inner, retryBaseMs: 5, retryMaxMs: 20 });
const emitter = createEmitter({ agent: 'agent', transport, epochs: fileEpochs({ path: `${folder}/epochs` }), batchDelayMs: 1 });
if (ending) {
  const session = await emitter.session(name);
  session.end();
  await emitter.flush();
  process.stdout.write(`${await transport.drained(30_000)}\n`);
  await emitter.close();
} else {
  const session = await emitter.session(name);
  for (;;) {
    for (let count = 0; count < 5; count += 1) session.emit('progress.status', { severity: 'notice' });
    const { done } = await emitter.flush();
    if (done) process.stdout.write(`kept ${session.name} ${session.epoch} 5\n`);
  }
}
