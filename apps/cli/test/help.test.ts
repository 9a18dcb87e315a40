import { afterEach, describe, expect, it, vi } from 'vitest';

import { runProgram } from '../src/program.js';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('help', () => {
  it.each([['inbox'], ['respond'], ['cancel'], ['pause'], ['resume'], ['roster'], ['hooks', 'install'], ['hooks', 'uninstall'], ['hooks', 'status']])('of %s has an example', async (...verb) => {
    const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    expect(await runProgram(['node', 'aep', ...verb, '--help'])).toBe(0);
    expect(out.mock.calls.map(([text]) => String(text)).join('')).toMatch(/\nExamples?: +aep /);
  });

  it.each([['pause'], ['respond']])('of %s lists its exit codes', async (verb) => {
    const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    await runProgram(['node', 'aep', verb, '--help']);
    expect(out.mock.calls.map(([text]) => String(text)).join('')).toContain('3 refused, 4 no answer in time');
  });
});
