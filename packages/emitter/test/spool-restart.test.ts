import { createReadStream } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { readJsonl } from '@aepkit/binding-jsonl/reader';
import { dedupeKey, epochOf, type AepEvent } from '@aepkit/envelope';
import { launchNode, tempDir } from '@aepkit/testkit';
import { expect, it } from 'vitest';

import { faults } from './support.js';

const PROGRAM = fileURLToPath(new URL('./spool-program.mjs', import.meta.url));

it('what was flushed to a spool survives kill -9, and goes out in order when the endpoint is back', { timeout: 300_000 }, async () => {
  await using dir = await tempDir();
  const kept = new Map<string, number>();
  for (let round = 0; round < 4; round += 1) {
    // Two processes share the folder.
    const programs = ['a', 'b'].map((name) => launchNode(PROGRAM, { args: [dir.path, name] }));
    await Promise.all(programs.map((program) => program.output(new RegExp(`(?:kept.*\\n){${String(3 + round)}}`))));
    for (const program of programs) {
      program.child.kill('SIGKILL');
      const { stdout } = await program.exit;
      for (const [, key] of stdout.matchAll(/^kept (\S+ \d+) 5$/gm)) kept.set(key!, (kept.get(key!) ?? 0) + 5);
    }
  }
  for (const name of ['a', 'b']) expect(await launchNode(PROGRAM, { args: ['--end', dir.path, name] }).exit).toMatchObject({ code: 0, stdout: 'true\n', stderr: '' });

  const events = new Map<string, AepEvent>();
  for await (const item of readJsonl(createReadStream(dir.file('log.jsonl')))) {
    expect(item.type).toBe('event');
    if (item.type === 'event' && !events.has(dedupeKey(item.event.event))) events.set(dedupeKey(item.event.event), item.event.event);
  }
  expect(faults([...events.values()])).toEqual([]);
  expect(kept.size).toBe(8);
  for (const [key, count] of kept) {
    const own = [...events.values()].filter((event) => `${event.session!} ${String(epochOf(event))}` === key);
    expect(own.length).toBeGreaterThanOrEqual(count);
    expect(own.map(({ seq }) => seq)).toEqual(own.map((_event, at) => at));
  }
});
