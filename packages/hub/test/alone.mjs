// Runs where the package is installed alone: see packaging/README.md.
const line = (type) => `{"aep":"0.1","id":"${type}","type":"${type}","time":"2026-01-01T00:00:00Z","source":"aep://h/agent/a","agent":"a","session":"s","seq":1}`;

export const expected = [line('tool.requested'), 'shutdown', 'shutdown'];

export async function run({ programs: [{ show }] }) {
  const seen = [];
  const principal = { name: 'test', scopes: new Set(['emit', 'observe']), authenticated: true };
  const sink = {
    write: (batch) => {
      seen.push(new TextDecoder().decode(batch.encoded(({ json }) => new TextEncoder().encode(json))));
      return true;
    },
    drained: () => Promise.resolve(),
    exhausted: () => undefined,
    close: (reason) => void seen.push(reason),
  };
  for (const type of ['tool.requested', 'session.started']) await show(line(type), sink, { principal });
  return seen;
}
