// Runs where the package is installed alone: see packaging/README.md.
import { once } from 'node:events';

process.env.PORT = '0';

const line = (seq) =>
  `{"aep":"0.1","id":"e${seq}","type":"tool.requested","time":"2026-01-01T00:00:00Z","source":"aep://h/agent/a","agent":"a","session":"s","seq":${seq}}`;

export const expected = { server: ['hello', 'subscribed', 'e0', 'e1', 'pong', 'closing'] };

export async function run({ programs: [{ hub, binding, server }] }) {
  if (!server.listening) await once(server, 'listening');
  const socket = new WebSocket(`ws://127.0.0.1:${server.address().port}/socket`);
  const said = [];
  const closed = new Promise((resolve) => socket.addEventListener('close', resolve));
  const kept = new Promise((resolve) => {
    socket.addEventListener('message', ({ data }) => {
      const { type, id } = JSON.parse(data);
      said.push(type.includes('.') ? id : type);
      if (type === 'pong') resolve();
    });
  });
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  socket.send('{"type":"hello","versions":["0.1"],"role":"both","identity":{"agent":"a"}}');
  socket.send('{"type":"subscribe","id":"s"}');
  for (const seq of [0, 1]) socket.send(line(seq));
  socket.send('{"type":"ping","t":1}');
  await kept;
  await hub.close();
  await closed;
  await binding.close();
  server.close();
  // A commit and its fan-out come ahead of the answers that wait for it.
  return { server: said };
}
