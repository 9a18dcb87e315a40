// Emits into several sessions until it is killed. With --end it ends them instead. The host name changes with every life.
import { fileEpochs } from '../dist/epoch-file.js';
import { createEmitter } from '../dist/index.js';
import { jsonlTransport } from '../dist/jsonl.js';

const args = process.argv.slice(2);
const ending = args[0] === '--end';
const [epochs, log, ...names] = ending ? args.slice(1) : args;
const inner = jsonlTransport({ path: log });
const transport = {
  async send(batch, options) {
    await inner.send(batch, options);
    process.stdout.write(ending ? '' : 'sent\n');
  },
  close: () => inner.close(),
};
const emitter = createEmitter({ agent: 'agent', host: `host-${process.pid}`, transport, epochs: fileEpochs({ path: epochs }), batchDelayMs: 1 });
const sessions = await Promise.all(names.map((name) => emitter.session(name)));

if (ending) {
  for (const session of sessions) {
    try {
      session.end({ data: { reason: 'killed' } });
    } catch (error) {
      process.stdout.write(`${error.code}\n`);
    }
  }
  await emitter.close();
} else {
  for (let count = 0; ; count += 1) {
    for (const session of sessions) {
      const run = `run-${count % 5}`;
      try {
        session.emit('run.started', { run });
        session.emit('run.finished', { run });
      } catch (error) {
        // A life before this one has ended it.
        if (error.code !== 'second-terminal') throw error;
      }
      const request = session.emit('attention.requested', { data: { kind: 'input', prompt: 'Go on?' } });
      session.emit('progress.status', { data: { percent: count % 100 } });
      if (count % 2 === 0) session.emit('attention.resolved', { subject: request, data: { resolution: 'auto' } });
    }
    if (sessions[0].openRequests.length > 900) for (const session of sessions) for (const subject of session.openRequests) session.emit('attention.timeout', { subject });
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
