// How long an Event is on its way from POST to an SSE consumer at 50 Events a second, against a bare server that parses it and
// writes it to the one response. All in processes of their own; the two sides take turns Event by Event.
import { connect } from 'node:net';

import { median, openBench, size } from './lib/bench.mjs';
import { eventText } from './lib/events.mjs';
import { startServer } from './lib/http-load.mjs';

const ROUNDS = size(5, 1);
const EVENTS = size(300, 10);
const GAP_MS = size(20, 1);

const { row, done } = openBench('latency');
let seq = 0;

/** A stream and a connection to post on. `send` settles when the Event has come. */
async function open(mode) {
  const server = await startServer(mode);
  let waiting;
  let seen = '';
  const stream = connect(server.port, '127.0.0.1').setNoDelay(true);
  const begun = new Promise((resolve) => stream.once('data', resolve));
  stream.on('data', (chunk) => {
    if (waiting === undefined) return;
    seen += chunk.latin1Slice();
    if (!seen.includes(waiting.id)) return;
    seen = '';
    waiting.came(performance.now());
  });
  stream.write('GET /stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  await begun;
  const post = connect(server.port, '127.0.0.1').setNoDelay(true);
  post.resume();
  return {
    async send() {
      seq += 1;
      const id = `01J9ZK3V5M${String(seq).padStart(16, '0')}`;
      const body = eventText(seq, { id });
      const came = new Promise((resolve) => (waiting = { id, came: resolve }));
      const start = performance.now();
      post.write(`POST /events HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAEP-Version: 0.1\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      return (await came) - start;
    },
    stop() {
      stream.destroy();
      post.destroy();
      server.stop();
    },
  };
}

const percentile = (values, share) => values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const modes = ['bare', 'relay', 'collector'];
const sides = [];
for (const mode of modes) sides.push(await open(mode));
for (let count = 0; count < size(50, 2); count += 1) for (const side of sides) await side.send();
const rounds = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const found = sides.map(() => []);
  for (let count = 0; count < EVENTS; count += 1) {
    for (const [at, side] of sides.entries()) found[at].push(await side.send());
    await pause(GAP_MS);
  }
  rounds.push(found);
}
for (const [at, mode] of modes.entries()) {
  if (at === 0) continue;
  const ratio = (share) => median(rounds.map((found) => percentile(found[at], share) / percentile(found[0], share)));
  const ms = (share) => median(rounds.map((found) => percentile(found[at], share))).toFixed(2);
  row(`delivery latency p99 at 50 Events/s, POST to SSE, ${mode}`, ratio(0.99), { atMost: 2, note: `${ms(0.99)} ms; p50 ${ratio(0.5).toFixed(2)}×, ${ms(0.5)} ms` });
}
for (const side of sides) side.stop();
done();
