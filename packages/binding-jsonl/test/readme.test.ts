import { readFileSync } from 'node:fs';

import { buildEvent, tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { logPath } from '../src/writer.js';
import { feed } from './example-follow.js';
import { count } from './example-reader.js';
import { record } from './example-writer.js';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const readme = read('../README.md');

describe('README', () => {
  it('starts with three programs of at most ten lines that run here', async () => {
    for (const name of ['reader', 'writer', 'follow']) {
      const text = read(`./example-${name}.ts`).replace(/'\.\.\/src\/(\w+)\.js'/, "'@aepkit/binding-jsonl/$1'").trim();
      expect(readme).toContain(text);
      expect(text.split('\n').length).toBeLessThanOrEqual(10);
    }
    await using dir = await tempDir();
    const events = [buildEvent(), buildEvent(), buildEvent()];
    await record(dir.path, events);
    const path = logPath(dir.path, events[0]!);
    expect(await count(path)).toEqual(new Map([['event', 3]]));
    const shown: string[] = [];
    const show = ({ id }: { readonly id: string }): boolean => shown.push(id) % 2 === 1;
    const position = await feed(path, 'start', show);
    await record(dir.path, [buildEvent({ id: 'new' })]);
    await feed(path, position!, show);
    expect(shown).toEqual([...events.map(({ id }) => id), 'new']);
  });

  it('names every option, error, item and default, and stays short', () => {
    const defaults = ['limits', 'reader-options', 'writer-options', 'follow-options'].flatMap((name) =>
      [...read(`../src/${name}.ts`).matchAll(/export const (DEFAULT_\w+)/g)].map(([, found]) => found ?? ''),
    );
    const camel = (name: string): string =>
      name
        .slice('DEFAULT_'.length)
        .toLowerCase()
        .replace(/_(.)/g, (_match, letter: string) => letter.toUpperCase());
    expect(defaults).toHaveLength(12);
    for (const name of defaults) expect(readme).toContain(`\`${camel(name)}\``);
    for (const name of ['fsync', 'tornTail', 'onRotate', 'onError', 'isRotated', 'from', 'signal', 'watch', 'fileSystem']) expect(readme).toContain(`\`${name}\``);
    const codes = [...read('../src/errors.ts').matchAll(/'([a-z-]+)'/g)].map(([, code]) => code ?? '');
    for (const code of codes) if (code.includes('-') || code === 'io' || code === 'unwritable') expect(readme).toContain(`\`${code}\``);
    const items = [...`${read('../src/jsonl-item.ts')}${read('../src/follow-item.ts')}`.matchAll(/type: '([a-z-]+)'/g)].map(([, type]) => type ?? '');
    expect(items).toHaveLength(12);
    for (const type of items) expect(readme).toContain(`\`${type}\``);
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(8_192);
  });
});
