import { createReadStream } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { readJsonl } from '@aepkit/binding-jsonl/reader';
import { epochOf, type AepEvent } from '@aepkit/envelope';
import { launchNode, tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { faults } from './support.js';

const PROGRAM = fileURLToPath(new URL('./restart-program.mjs', import.meta.url));
const SESSIONS = ['one', 'two', 'three/with a slash'];

async function read(path: string): Promise<AepEvent[]> {
  const events: AepEvent[] = [];
  for await (const item of readJsonl(createReadStream(path))) if (item.type === 'event') events.push(item.event.event);
  return events;
}

describe('an emitter that is killed', () => {
  it('goes on with a higher epoch each time, and no position comes twice [E-070, E-071, E-074, E-075, E-132, T-011, T-012, T-175, T-234]', { timeout: 300_000 }, async () => {
    await using dir = await tempDir();
    const log = dir.file('log.jsonl');
    const args = [dir.file('epochs'), log, ...SESSIONS];
    for (let round = 0; round < 20; round += 1) {
      const program = launchNode(PROGRAM, { args });
      // In the middle of its work, a little later each time: it prints a line per batch that was taken.
      await program.output(new RegExp(`^(?:sent\\n){${String(1 + (round % 4))}}`));
      program.child.kill('SIGKILL');
      await program.exit;
    }
    const last = launchNode(PROGRAM, { args: ['--end', ...args] });
    expect(await last.exit).toMatchObject({ code: 0, stderr: '' });

    const events = await read(log);
    expect(faults(events)).toEqual([]);
    for (const name of SESSIONS) {
      const own = events.filter(({ session }) => session === name);
      const epochs = [...new Set(own.map(epochOf))];
      expect(epochs).toEqual(epochs.toSorted((a, b) => a - b));
      // Not every life gets as far as each session.
      expect(epochs.length).toBeGreaterThan(10);
      const positions = own.map((event) => `${String(epochOf(event))}:${String(event.seq)}`);
      expect(new Set(positions).size).toBe(positions.length);
      expect(new Set(own.map(({ source }) => source)).size).toBe(1);
      expect(own.filter(({ type }) => type === 'session.ended')).toHaveLength(1);
      expect(own.at(-1)!.type).toBe('session.ended');
      // Requests that an earlier life left open were closed by the last one.
      const asked = own.filter(({ type }) => type === 'attention.requested').map(({ id }) => id);
      const closed = new Set(own.filter(({ type }) => type === 'attention.resolved').map(({ subject }) => subject));
      expect(asked.length).toBeGreaterThan(0);
      expect(asked.filter((id) => !closed.has(id))).toEqual([]);
    }
    const again = launchNode(PROGRAM, { args: ['--end', ...args] });
    expect(await again.exit).toMatchObject({ code: 0, stdout: 'second-terminal\nsecond-terminal\nsecond-terminal\n' });
    expect(await read(log)).toHaveLength(events.length);
  });
});
