import { readFileSync } from 'node:fs';

import { buildWire } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { CONTROL_ERROR_CODES } from '../src/index.js';
import { answerable } from './example.js';
import { commandOf, requestOf } from './support.js';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const readme = read('../README.md');

describe('the README', () => {
  it('shows the program that runs here', () => {
    const program = read('./example.ts').replace('../src/index.js', '@aepkit/control');
    expect(readme).toContain(`\`\`\`ts\n${program}\`\`\``);
    expect(program.split('\n').filter((line) => line !== '' && !line.startsWith('import')).length).toBeLessThanOrEqual(10);
    const request = requestOf({ kind: 'permission', options: [{ id: 'allow', label: 'Allow' }] });
    const applied: (string | undefined)[] = [];
    const acks: string[] = [];
    const inbox = answerable(request.event, (option) => applied.push(option), {
      mint: (draft) => buildWire({ data: undefined, ...draft }),
      emit: ({ event }) => void acks.push(event.type),
    });
    const answer = (subject: string, option: string) => inbox.receive(commandOf({ type: 'control.attention.respond', subject, data: { answer: { option } } }));
    answer('another', 'allow');
    answer(request.event.id, 'perhaps');
    answer(request.event.id, 'allow');
    expect([applied, acks]).toEqual([['allow'], ['control.rejected', 'control.rejected', 'control.accepted']]);
  });

  it('names every error code', () => {
    for (const code of CONTROL_ERROR_CODES) expect(readme).toContain(`\`${code}\``);
  });

  it('fits into 8 KB', () => {
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(8192);
  });
});
