import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** Code and words for what is refused before it is a request. */
interface Refused {
  readonly status: number;
  readonly error: string;
  readonly detail: string;
}

/** By the code of Node's parser. */
const PARSER: Readonly<Record<string, Refused>> = {
  HPE_HEADER_OVERFLOW: { status: 431, error: 'too-large', detail: 'request line and headers are too long' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, error: 'too-large', detail: 'the extensions of a chunk are too long' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, error: 'timeout', detail: 'the request took too long' },
};
const MALFORMED: Refused = { status: 400, error: 'invalid-request', detail: 'the request is not well-formed HTTP' };
const NO_PROXY: Refused = { status: 405, error: 'method-not-allowed', detail: 'nothing is reached through here' };
const EXPECTATION: Refused = { status: 417, error: 'expectation-failed', detail: 'of Expect, 100-continue alone is met' };

/** The answer to a request whose target or Host no URL can be made of. */
export function brokenTarget(): Response {
  const { status, error } = MALFORMED;
  return new Response(JSON.stringify({ error, detail: 'target or Host header of the request make no URL' }), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  });
}

/** Answers what Node's server does not hand on as a request, in the shape of every other refusal. */
export function answerBrokenRequests(server: Server): void {
  const open = new WeakMap<Duplex, Set<ServerResponse>>();
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    let responses = open.get(socket);
    if (responses === undefined) open.set(socket, (responses = new Set()));
    responses.add(response);
    response.once('close', () => responses.delete(response));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // Where an answer has begun, bytes of another would become part of it.
    const begun = [...(open.get(socket) ?? [])].some(({ headersSent }) => headersSent);
    if (begun || !socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else end(socket, PARSER[error.code ?? ''] ?? MALFORMED);
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    // Node has taken its own listener off.
    socket.on('error', () => socket.destroy());
    end(socket, NO_PROXY, 'Allow: GET, HEAD, POST\r\n');
  });
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const { status, ...body } = EXPECTATION;
    response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', connection: 'close' });
    response.end(JSON.stringify(body));
  });
}

function end(socket: Duplex, { status, ...body }: Refused, headers = ''): void {
  const text = JSON.stringify(body);
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${headers}Content-Type: application/json\r\n`;
  socket.end(`${head}Cache-Control: no-store\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`, () => {
    socket.destroy();
  });
}
