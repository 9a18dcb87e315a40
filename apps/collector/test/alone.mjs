// Runs where the package is installed alone: see packaging/README.md.
export const expected = [true, 202, 1];

export async function run({ logged }) {
  const { startCollector } = await import('@aepkit/collector');
  const collector = await startCollector({ port: 0, data: './history' });
  const body = '{"aep":"0.1","id":"e0","type":"tool.requested","time":"2026-01-01T00:00:00Z","source":"aep://h/agent/a","agent":"a","session":"s","seq":0}';
  const { status } = await fetch(`${collector.url}/events`, { method: 'POST', headers: { 'Content-Type': 'application/json', 'AEP-Version': '0.1' }, body });
  const { sessions } = await (await fetch(`${collector.url}/sessions`)).json();
  await collector.close();
  return [/^listening on http:\/\/127\.0\.0\.1:\d+$/.test(logged[0][0]), status, sessions.length];
}
