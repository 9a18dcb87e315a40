// Runs where the package is installed alone: see packaging/README.md.
import { once } from 'node:events';

import { parseEvent } from '@aepkit/envelope';

process.env.PORT = '0';

const line = (seq, severity) =>
  `{"aep":"0.1","id":"e${seq}","type":"tool.requested","time":"2026-01-01T00:00:00Z","source":"aep://h/agent/a","agent":"a","session":"s","seq":${seq},"severity":"${severity}"}`;
const lines = [line(0, 'warning'), line(1, 'info'), line(2, 'notice')];

export const expected = [lines[0], lines[2]];

export async function run({ programs: [{ hub, server }, { follow }] }) {
  if (!server.listening) await once(server, 'listening');
  const principal = { name: 'test', scopes: new Set(['emit']), authenticated: false };
  await hub.ingest(
    lines.map((text) => parseEvent(text)),
    { principal, via: 'post' },
  );
  const shown = [];
  await follow(`http://127.0.0.1:${server.address().port}/stream`, (text) => void shown.push(text));
  await hub.close();
  server.closeAllConnections();
  server.close();
  return shown;
}
