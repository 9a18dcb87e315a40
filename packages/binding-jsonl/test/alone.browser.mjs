// Runs in a page: see packaging/README.md.
import { JsonlReader, readJsonl } from '@aepkit/binding-jsonl/reader';

const line = '{"aep":"0.1","id":"é","type":"tool.requested","time":"2026-01-01T00:00:00Z","source":"aep://h/agent/a","agent":"a","session":"s","seq":0}';

export const expected = { streamed: [line, 'event'], pushed: [line] };

export async function run() {
  const bytes = new TextEncoder().encode(`${line}\n${line}\n`);
  const source = async function* () {
    for (const byte of bytes) yield Uint8Array.of(byte);
  };
  const streamed = [];
  for await (const item of readJsonl(source())) streamed.push(streamed.length === 0 ? item.event.json : item.type);
  const pushed = [...new JsonlReader().push(bytes.subarray(0, bytes.length - 1))].map((item) => item.event.json);
  return { streamed, pushed };
}
