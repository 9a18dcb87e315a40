import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { parseEvent } from '@aepkit/envelope';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

import * as api from '../src/index.js';
import { onHook } from './example.js';

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const read = (name: string): string => readFileSync(path(name), 'utf8');

describe('README', () => {
  it('starts with the program that runs here', () => {
    expect(read('../README.md')).toContain(read('./example.ts').replace("'../src/index.js'", "'@aepkit/adapter-claude-code'").trim());
    const [event] = onHook('{"session_id":"s","hook_event_name":"SessionStart","source":"startup"}');
    expect(parseEvent(event ?? '').event.type).toBe('session.started');
  });

  it('names every hook that has a mapping, says where it deviates, and stays short [T-187]', () => {
    for (const name of api.adapter.hooks) expect(read('../README.md')).toContain(`\`${name}\``);
    expect(read('../README.md')).toContain('## Deviations');
    expect(read('../README.md').length).toBeLessThan(8192);
  });
});

it('exports what it says', () => {
  expect(Object.keys(api).sort()).toEqual(['AGENT', 'adapter']);
  expect(Object.keys(api.adapter).sort()).toEqual(['agent', 'create', 'hooks', 'question', 'reply']);
});

it('reaches no Node built-in', async () => {
  const result = await build({ entryPoints: [path('../src/index.ts')], bundle: true, write: false, platform: 'browser', format: 'esm' });
  expect(result.outputFiles[0]?.text).toContain('session.started');
});
