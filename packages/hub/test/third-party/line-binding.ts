import { createServer, type Server, type Socket } from 'node:net';

import type { Access, Principal } from '@aepkit/access';
import { EnvelopeError, parseEvent } from '@aepkit/envelope';
import { type Connection, type Encoder, type Hub, HubError, type Sink } from '@aepkit/hub';

const MAX_LINE_BYTES = 1_048_576;
const FULL_BYTES = 65_536;
const NEWLINE = 0x0a;

const encode: Encoder = ({ json }) => Buffer.from(`${json}\n`);

/** AEP as lines on a socket: the first line is a token, or empty; then Events come in; `?` and a filter asks for Events. */
export function lineBinding(hub: Hub, access: Access): Server {
  return createServer((socket) => {
    socket.on('error', () => socket.destroy());
    serve(socket, hub, access).catch((error: unknown) => socket.end(refusal(error)));
  });
}

async function serve(socket: Socket, hub: Hub, access: Access): Promise<void> {
  let principal: Principal | undefined;
  let connection: Connection | undefined;
  socket.on('close', () => connection?.close());
  for await (const line of linesOf(socket)) {
    if (principal === undefined) {
      // Whoever may not be here learns it before anything is read.
      principal = access.authenticate({ header: (name) => headerOf(name, line.toString('latin1')), encrypted: false });
      continue;
    }
    try {
      if (line[0] === 0x3f) {
        connection ??= hub.connect({ sink: sinkOf(socket), principal });
        connection.subscribe({ id: 'lines', filter: { text: line.toString('utf8', 1) } });
      } else {
        await hub.ingest([parseEvent(line, { maxBytes: MAX_LINE_BYTES })], { principal, via: 'post' });
      }
    } catch (error) {
      socket.write(refusal(error));
    }
  }
}

/** Events of one turn go out in one write; a full socket says so, and is waited for until it drains or dies. */
function sinkOf(socket: Socket): Sink {
  return {
    write(batch) {
      socket.write(batch.encoded(encode));
      return socket.writableLength < FULL_BYTES;
    },
    drained() {
      if (socket.destroyed || socket.writableLength === 0) return Promise.resolve();
      return new Promise((resolve) => {
        const done = (): void => {
          socket.off('drain', done).off('close', done);
          resolve();
        };
        socket.on('drain', done).on('close', done);
      });
    },
    exhausted: ({ session, epoch, seq }) => void socket.write(`# replay-exhausted ${JSON.stringify({ session, epoch, seq })}\n`),
    close: (reason) => void socket.end(`# ${reason}\n`),
  };
}

async function* linesOf(socket: Socket): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  // The socket outlives the loop: a refusal still has to leave.
  for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      yield rest.subarray(0, end);
      rest = rest.subarray(end + 1);
    }
    if (rest.length > MAX_LINE_BYTES) throw new RangeError(`a line has at most ${MAX_LINE_BYTES} bytes`);
  }
}

function headerOf(name: string, token: string): string | undefined {
  if (name === 'host') return 'localhost';
  return name === 'authorization' && token !== '' ? `Bearer ${token}` : undefined;
}

function refusal(error: unknown): string {
  const code = error instanceof EnvelopeError || error instanceof HubError ? error.code : 'refused';
  return `# ${code} ${JSON.stringify(error instanceof Error ? error.message : 'failed')}\n`;
}
