// Load on an HTTP server over plain sockets, which costs far less than a client library: the generator shares the machine.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';

import { eventText } from './events.mjs';

const CONNECTIONS = 16;
const FIRST = 100_000_000;
let counter = FIRST;

/** Each connection is an emitter with a session of its own: what one session says comes in order. */
function prepare(perBatch, session) {
  const body = Array.from({ length: perBatch }, () => eventText(FIRST, { session, id: `01J9ZK3V5M0000000${FIRST}` })).join('\n');
  const type = perBatch === 1 ? 'application/json' : 'application/x-ndjson';
  const head = `POST /events HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: ${type}\r\naep-version: 0.1\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
  const bytes = Buffer.from(head + body);
  const places = [];
  const mark = String(FIRST);
  // Identity and position; the third is a call id.
  for (let at = bytes.indexOf(mark), nth = 0; at >= 0; at = bytes.indexOf(mark, at + 1), nth += 1) if (nth % 3 < 2) places.push(at);
  return { bytes, places, perBatch };
}

/** New ids and positions in an old request: repeats would measure the dedupe, and new texts the generator. */
function renew({ bytes, places, perBatch }) {
  for (let at = 0; at < places.length; at += 2) {
    const text = String(counter + 1 + (at >> 1));
    bytes.latin1Write(text, places[at]);
    bytes.latin1Write(text, places[at + 1]);
  }
  counter += perBatch;
  return bytes;
}

/** Starts `bench/lib/ingest-server.mjs` in a process of its own. */
export async function startServer(mode, execArgv = []) {
  const child = fork(new URL('./ingest-server.mjs', import.meta.url), [mode], { execArgv });
  const [port] = await once(child, 'message');
  return {
    mode,
    port,
    stop: () => child.disconnect(),
    /** Processor time of the server so far, all threads, in seconds: all of it, and what its own code took. */
    async used() {
      child.send('cpu');
      const [{ user, system }] = await once(child, 'message');
      return { cpu: (user + system) / 1e6, user: user / 1e6 };
    },
  };
}

/**
 * Fills what a server holds and lets its heap grow to the size it keeps: a page of fresh memory may cost a hundred times one that
 * the process has, and the first thousands of Events then say nothing about those that follow.
 */
export async function warmUp(server, perBatch, { events, ms }) {
  const end = performance.now() + ms;
  for (let done = 0; done < events && performance.now() < end; ) done += (await load(server, perBatch, Math.min(ms, 300))).events;
}

/**
 * Posts for so long, one request at a time per connection. Events per second, per second of the server's processor time, and per
 * second of that without the system's part.
 */
export async function load(server, perBatch, ms) {
  const before = await server.used();
  const start = performance.now();
  let done = 0;
  let stop = false;
  const posting = Array.from(
    { length: CONNECTIONS },
    (_, number) =>
      new Promise((resolve, reject) => {
        const socket = connect(server.port, '127.0.0.1').setNoDelay(true);
        const prepared = prepare(perBatch, `session-${number}`);
        const next = () => socket.write(renew(prepared));
        socket.on('connect', next);
        socket.on('error', reject);
        socket.on('data', (chunk) => {
          if (chunk.latin1Slice(9, 12) !== '202') return reject(new Error(chunk.toString()));
          done += 1;
          if (!stop) return next();
          socket.destroy();
          resolve();
        });
      }),
  );
  setTimeout(() => (stop = true), ms);
  await Promise.all(posting);
  const events = done * perBatch;
  const seconds = (performance.now() - start) / 1000;
  const after = await server.used();
  return { events, wall: events / seconds, cpu: events / (after.cpu - before.cpu), user: events / (after.user - before.user) };
}
