// Readers of SSE streams over plain sockets, in a process of their own: sse-reader.mjs PORT READERS BYTES [PATH]
// Tells its parent 'ready' when every socket is connected; asks for the streams on 'go'; tells 'open' when each has begun, and
// 'done' when each has had so many bytes.
import { connect } from 'node:net';

const [port, readers, target] = process.argv.slice(2, 5).map(Number);
const path = process.argv[5] ?? '/stream';
const left = { ready: readers, open: readers, done: readers };
const count = (step) => {
  left[step] -= 1;
  if (left[step] === 0) process.send(step);
};
const sockets = Array.from({ length: readers }, () => {
  const socket = connect(port, '127.0.0.1', () => count('ready'));
  let bytes = 0;
  socket.once('data', () => count('open'));
  socket.on('data', (chunk) => {
    bytes += chunk.length;
    // Head and chunk framing come on top, so this is passed with the last message at the latest.
    if (bytes < target) return;
    bytes = -Infinity;
    socket.destroy();
    count('done');
  });
  return socket;
});
process.on('message', () => {
  for (const socket of sockets) socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
});
process.on('disconnect', () => process.exit(0));
