// Runs where the package is installed alone: see packaging/README.md.
export const expected = [true, 202, 'e0'];

export async function run({ logged }) {
  const { startRelay } = await import('@aepkit/relay');
  const above = await startRelay({ port: 0 });
  const relay = await startRelay({ port: 0, upstream: [above.url] });
  const body = '{"aep":"0.1","id":"e0","type":"tool.requested","time":"2026-01-01T00:00:00Z","source":"aep://h/agent/a","agent":"a","session":"s","seq":0}';
  const { status } = await fetch(`${above.url}/events`, { method: 'POST', headers: { 'Content-Type': 'application/json', 'AEP-Version': '0.1' }, body });
  const stream = await fetch(`${relay.url}/stream?from=all`);
  let text = '';
  for await (const chunk of stream.body) {
    text += new TextDecoder().decode(chunk);
    if (text.includes('data: {')) break;
  }
  await Promise.all([relay.close(), above.close()]);
  return [/^listening on http:\/\/127\.0\.0\.1:\d+$/.test(logged[0][0]), status, /"id":"(\w+)"/.exec(text)[1]];
}
