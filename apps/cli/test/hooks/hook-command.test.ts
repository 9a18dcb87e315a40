import { spawnSync } from 'node:child_process';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { hookCommand, isQuotable, parseHookCommand, shellWord } from '../../src/hooks/hook-command.js';

describe('hookCommand', () => {
  it.each<[string[], NodeJS.Platform, string]>([
    [['/usr/bin/node', '/opt/aep.js'], 'linux', '/usr/bin/node /opt/aep.js hook codex'],
    [['/Users/A B/aep'], 'darwin', "'/Users/A B/aep' hook codex"],
    [["/o'x/aep"], 'linux', String.raw`'/o'\''x/aep' hook codex`],
    [['node', 'C:\\Users\\A B\\aep.js'], 'win32', 'node "C:/Users/A B/aep.js" hook codex'],
    [['C:\\node\\node.exe', 'C:\\aep.js'], 'win32', 'C:/node/node.exe C:/aep.js hook codex'],
  ])('quotes %j on %s', (program, platform, line) => {
    expect(hookCommand(program, 'codex', undefined, platform)).toBe(line);
    expect(hookCommand(program, 'codex', 55, platform)).toBe(`${line} --hold 55`);
  });

  it('means the same to a shell, and is read back, whatever is in a path', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from('ab /\\\'"$`!&;|<>()*?~#{}[]%^ä')), minLength: 1, maxLength: 12 }).map((text) => `/${text}/aep`), (path) => {
        const line = hookCommand([path], 'claude-code', 7, 'linux');
        expect(parseHookCommand(line, 'claude-code')).toEqual({ program: [path], hold: 7 });
        expect(spawnSync('/bin/sh', ['-c', `printf '%s|' ${line}`], { encoding: 'utf8' }).stdout).toBe(`${path}|hook|claude-code|--hold|7|`);
      }),
      { numRuns: 60 },
    );
  });

  it('refuses words that end a command, or that the shells of Windows read differently', () => {
    expect(isQuotable('a\nb', 'linux')).toBe(false);
    expect(isQuotable('', 'linux')).toBe(false);
    expect(isQuotable('/a $b/aep', 'linux')).toBe(true);
    expect(isQuotable('C:\\$a\\aep', 'win32')).toBe(false);
    expect(isQuotable('C:\\%PATH%\\aep', 'win32')).toBe(false);
    expect(isQuotable('C:\\Program Files (x86)\\aep.exe', 'win32')).toBe(true);
    expect(shellWord('C:\\a', 'win32')).toBe('C:/a');
  });
});

describe('parseHookCommand', () => {
  it.each([
    ['aep hook codex', ['aep'], undefined],
    ['/usr/local/bin/aep  hook codex --hold 55', ['/usr/local/bin/aep'], 55],
    ['node "C:/A B/aep.js" hook codex', ['node', 'C:/A B/aep.js'], undefined],
    ['AEP.cmd hook codex', ['AEP.cmd'], undefined],
  ])('takes %j for ours', (line, program, hold) => {
    expect(parseHookCommand(line, 'codex')).toEqual({ program, hold });
  });

  it.each(['borg hook codex', 'aep hook codex now', 'aep hook claude-code', 'echo aep hook codex && aep hook codex', 'x; aep hook codex', '$(x) aep hook codex', 'a b aep hook codex', 'aep hook codex --hold', 'hook codex', ''])('takes %j for none of ours', (line) => {
    expect(parseHookCommand(line, 'codex')).toBeUndefined();
  });

  it('takes a program of any name that it is told of', () => {
    expect(parseHookCommand('/x/mine hook codex', 'codex', ['/x/mine hook codex'])).toEqual({ program: ['/x/mine'], hold: undefined });
  });
});
