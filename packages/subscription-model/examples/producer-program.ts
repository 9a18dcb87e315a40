// A producer of memory events. `--port 0` serves WebSocket; `--spawn PROGRAM ARGUMENT…` serves the pipes of a child instead, one after
// the other. Commands come in lines: `publish COUNT`, `task COUNT`, `end-session`, `spawn`, `stats`, `quit`.
import { spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

import { memoryStream, runProducer, SubscriptionProducer } from '@aepkit/subscription-model';

import { stdioDuplex } from './stdio.js';
import { serveWebSocket } from './websocket.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: 'string' },
    spawn: { type: 'string' },
    /** Milliseconds that a subscription lasts. */
    lifetime: { type: 'string' },
    /** Events that can be replayed. */
    events: { type: 'string', default: '1000000' },
    /** Bytes of padding in each event. */
    padding: { type: 'string', default: '0' },
    /** Offers replay over pipes although the draft has no cursors there. */
    'pipe-cursors': { type: 'boolean', default: false },
  },
});
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const producer = new SubscriptionProducer({
  source: 'memory:main',
  stream: memoryStream({ maxEvents: Number(values.events), maxBytes: Infinity }),
  ...(values.lifetime === undefined ? {} : { lifetimeMs: Number(values.lifetime) }),
});
const padding = 'x'.repeat(Number(values.padding));
let published = 0;
const publish = (type: string, count: number): void => {
  for (let left = count; left > 0; left -= 1) {
    published += 1;
    producer.publish({ id: `evt_${String(published)}`, type, payload: { number: published, padding } });
  }
  print(`published ${String(published)}`);
};

const connections = new Set<ReturnType<typeof producer.connect>>();
// `connect` is watched, so that `end-session` finds the sessions.
const connect = producer.connect.bind(producer);
producer.connect = (options) => {
  const connection = connect(options);
  connections.add(connection);
  return connection;
};

const start = (): void => {
  const child = spawn(process.execPath, [values.spawn ?? '', ...positionals], { stdio: ['pipe', 'pipe', 'inherit'] });
  print(`consumer ${String(child.pid)}`);
  void runProducer(producer, stdioDuplex(child.stdout, child.stdin), { transport: 'stdio', replay: values['pipe-cursors'] });
  child.on('close', (code, signal) => print(`gone ${String(signal ?? code)}`));
};

if (values.port !== undefined) {
  const server = await serveWebSocket(Number(values.port), (duplex) => {
    void runProducer(producer, duplex, { transport: 'websocket' }).then(() => print('disconnected'));
  });
  print(`port ${String((server.address() as AddressInfo).port)}`);
} else {
  start();
}

for await (const line of createInterface({ input: process.stdin })) {
  const [command, count] = line.split(' ');
  if (command === 'publish') publish('memory.fact.added', Number(count));
  else if (command === 'task') publish('task.progress', Number(count));
  else if (command === 'spawn') start();
  else if (command === 'stats') print(`stats ${JSON.stringify({ ...producer.stats(), heap: process.memoryUsage().heapUsed })}`);
  else if (command === 'end-session') {
    for (const { sessionId } of producer.subscriptions()) for (const connection of connections) connection.endSession(sessionId, 'asked to');
  } else if (command === 'quit') break;
}
producer.close();
process.exit(0);
