import { readFileSync } from 'node:fs';
import { buildWire } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';
import { show } from './example.js';
import { EVERYTHING, TestSink } from './support.js';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const readme = read('../README.md');

describe('the README', () => {
  it('shows the program that runs here', async () => {
    const program = read('./example.ts').replace('../src/index.js', '@aepkit/hub');
    expect(readme).toContain(`\`\`\`ts\n${program}\`\`\``);
    expect(program.split('\n').filter((line) => line !== '' && !line.startsWith('import')).length).toBeLessThanOrEqual(10);
    const sink = new TestSink();
    const wire = buildWire();
    await show(wire.json, sink, { principal: EVERYTHING });
    expect(sink.seen).toMatchObject([{ wire: { json: wire.json } }, { type: 'close', reason: 'shutdown' }]);
  });

  it('says what replay.buffer counts [B-098]', () => {
    expect(readme).toContain('counts Events per session');
  });

  it('fits into 8 KB', () => {
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(8192);
  });
});
