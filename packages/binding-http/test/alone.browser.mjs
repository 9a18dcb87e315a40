// Runs in a page: see packaging/README.md.
import { discover, HttpEmitter } from '@aepkit/binding-http/client';

const event = (seq) => ({ aep: '0.1', id: `e${seq}`, type: 'tool.requested', time: '2026-01-01T00:00:00Z', source: 'aep://h/agent/a', agent: 'a', session: 's', seq });

export const expected = { versions: ['0.1'], receipt: { accepted: 2, requests: 1 }, refused: 'invalid-attribute' };

export async function run({ url }) {
  const { versions } = await discover(`${url}/.well-known/aep`);
  const emitter = new HttpEmitter({ url: `${url}/events` });
  const receipt = await emitter.send([event(0), event(1)]);
  const refused = await emitter.send([{ ...event(2), seq: -1 }]).then(
    () => undefined,
    (error) => error.code,
  );
  return { versions, receipt, refused };
}
