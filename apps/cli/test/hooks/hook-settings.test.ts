import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { hookAgent, type HookAgentName, hookEvents, timeoutFor } from '../../src/hooks/hook-agent.js';
import { addHooks, complaintAbout, findHooks, isInstalled, removeHooks, type WantedHook } from '../../src/hooks/hook-settings.js';
import { SettingsError } from '../../src/hooks/settings-error.js';

const claude = hookAgent('claude-code');
const AEP = '/usr/bin/node /opt/aep.js hook claude-code';
const wanted = (...events: string[]): WantedHook[] => events.map((event) => ({ event, command: AEP, timeout: 5 }));
const entry = (command = AEP): object => ({ hooks: [{ type: 'command', command, timeout: 5 }] });

/** Writes a value with random white space, comments and trailing commas between its tokens. */
function scribble(value: unknown, next: () => number, style: { unit: string; eol: string; comments: boolean; trailing: boolean; odd: boolean }, depth = 0): string {
  const pick = (share: number): boolean => next() % 100 < share;
  const line = (level: number): string => style.eol + style.unit.repeat(style.odd && pick(20) ? level + 1 : level);
  const comment = (): string => (!style.comments || !pick(15) ? '' : pick(50) ? ' // "hooks": { [' + style.eol : ' /* ,}] */ ');
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const items = Array.isArray(value) ? value.map((item) => scribble(item, next, style, depth + 1)) : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}${style.odd && pick(20) ? ' ' : ''}: ${scribble(item, next, style, depth + 1)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (items.length === 0) return open + comment() + (style.odd && pick(30) ? line(depth) : '') + close;
  const flat = style.unit === '' || (style.odd && pick(20));
  const gap = (level: number): string => (flat ? (style.odd ? ' ' : '') : line(level));
  const body = items.map((item, index) => gap(depth + 1) + item + comment() + (index < items.length - 1 || (style.trailing && pick(40)) ? `,${comment()}` : '')).join('');
  return open + comment() + body + gap(depth) + close;
}

const styles = fc.record({ unit: fc.constantFrom('  ', '    ', '\t', '   ', ''), eol: fc.constantFrom('\n', '\r\n'), comments: fc.boolean(), trailing: fc.boolean(), odd: fc.boolean() });
const json = fc.jsonValue({ maxDepth: 2 });
const names = fc.constantFrom('PreToolUse', 'Stop', 'SessionStart', 'Other');
const groups = (min: number): fc.Arbitrary<unknown[]> =>
  fc.array(
    fc.record({ matcher: fc.constantFrom('Bash', '', '*'), hooks: fc.array(fc.record({ type: fc.constant('command'), command: fc.constantFrom('x', 'echo "}"', 'other hook claude-code', 'aep hook codex') }), { maxLength: 2 }) }, { requiredKeys: ['hooks'] }),
    { minLength: min, maxLength: 2 },
  );
const settings = (min: number): fc.Arbitrary<object> =>
  fc
    .tuple(fc.dictionary(fc.string().filter((name) => name !== 'hooks' && name !== '__proto__'), json, { maxKeys: 3 }), fc.option(fc.dictionary(names, groups(min), { minKeys: min, maxKeys: 3 }), { nil: undefined }), fc.boolean())
    .map(([rest, hooks, first]) => (hooks === undefined ? rest : first ? { hooks, ...rest } : { ...rest, hooks }))
    .filter((value) => Object.keys(value).length >= min);
const texts = (min: number): fc.Arbitrary<string> =>
  fc.tuple(settings(min), styles, fc.array(fc.nat(), { minLength: 40, maxLength: 40 }), fc.constantFrom('', '\n', '\r\n', '\n\n', ' ')).map(([value, style, numbers, end]) => {
    let at = 0;
    return scribble(value, () => numbers[(at += 1) % numbers.length] ?? 0, style) + end;
  });

describe('addHooks and removeHooks', () => {
  it('leave a file byte for byte as it was, whatever its layout', () => {
    fc.assert(
      fc.property(texts(1), fc.subarray(['PreToolUse', 'Stop', 'SessionStart', 'Notification', 'SessionEnd'], { minLength: 1 }), (text, events) => {
        const added = addHooks(text, claude, wanted(...events));
        expect(isInstalled(findHooks(added, claude), wanted(...events))).toBe(true);
        expect(removeHooks(added, claude)).toBe(text);
      }),
      { numRuns: 400 },
    );
  });

  it('keep every value of others where they stand, and add nothing but what was asked for', () => {
    fc.assert(
      fc.property(texts(0), (text) => {
        const added = addHooks(text, claude, wanted('PreToolUse', 'Stop'));
        expect(findHooks(added, claude)).toHaveLength(2);
        expect(findHooks(removeHooks(added, claude, [], text), claude)).toEqual([]);
        const shrunk = added.replaceAll(/[\s,]/g, '').length - text.replaceAll(/[\s,]/g, '').length;
        expect(shrunk).toBeGreaterThan(0);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['two spaces', '{\n  "model": "x"\n}\n', '{\n  "model": "x",\n  "hooks": {\n    "Stop": [\n      {\n        "hooks": [\n          {\n            "type": "command",\n'],
    ['tabs and CRLF', '{\r\n\t"model": "x"\r\n}', '{\r\n\t"model": "x",\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n'],
    ['one line', '{ "model": "x" }', '{ "model": "x", "hooks": { "Stop": [{ "hooks": [{ "type": "command", '],
    ['no space at all', '{"model":"x"}', '{"model":"x","hooks":{"Stop":[{"hooks":[{"type":"command",'],
    ['a comment at the end', '{\n  "model": "x" // mine\n}', '{\n  "model": "x", // mine\n  "hooks": {\n'],
    ['a comma at the end', '{\n  "model": "x",\n}', '{\n  "model": "x",\n  "hooks": {\n'],
    ['nothing', '', '{\n  "hooks": {\n    "Stop": [\n'],
    ['an empty object', '{}', '{\n  "hooks": {\n    "Stop": [\n'],
  ])('write in the layout of the file: %s', (_name, text, start) => {
    expect(addHooks(text, claude, wanted('Stop')).slice(0, start.length)).toBe(start);
  });

  it('add behind the hooks of others, whose places a trust may hang on', () => {
    const text = JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: 'mine' }] }] } }, null, 2);
    const added = JSON.parse(addHooks(text, claude, wanted('Stop'))) as { hooks: { Stop: object[] } };
    expect(added.hooks.Stop).toEqual([{ hooks: [{ type: 'command', command: 'mine' }] }, entry()]);
  });

  it('take ours out of a group that others share, and out of the middle', () => {
    const mine = { type: 'command', command: 'mine' };
    const ours = { type: 'command', command: AEP };
    const text = JSON.stringify({ hooks: { Stop: [entry(), { matcher: 'x', hooks: [mine, ours, mine] }, entry()], PreToolUse: [entry()] }, z: 1 }, null, 4);
    expect(removeHooks(text, claude)).toBe(JSON.stringify({ hooks: { Stop: [{ matcher: 'x', hooks: [mine, mine] }] }, z: 1 }, null, 4));
  });

  it('leave a list that was empty before, and take one that came with the hooks', () => {
    const before = '{"hooks":{"Stop":[]}}';
    const changed = addHooks(before, claude, wanted('Stop', 'PreToolUse')).replace('{', '{"new":1,');
    expect(removeHooks(changed, claude, [], before)).toBe('{"new":1,"hooks":{"Stop":[]}}');
    expect(removeHooks(changed, claude)).toBe('{"new":1}');
  });

  it('keep what follows a line comment out of it', () => {
    const text = `{"hooks":{"Stop":[ // mine\n${JSON.stringify(entry())}, {"hooks":[]}]}}`;
    expect(removeHooks(text, claude)).toBe('{"hooks":{"Stop":[ // mine\n {"hooks":[]}]}}');
  });

  it('take no hook of others, and none of ours for another agent', () => {
    const text = JSON.stringify({ hooks: { Stop: ['other hook claude-code', 'aep hook codex', 'echo aep hook claude-code; x', 'aep hooks claude-code'].map((command) => entry(command)) } });
    expect(findHooks(text, claude)).toEqual([]);
    expect(removeHooks(text, claude)).toBe(text);
  });

  it.each([
    ['', 'broken'],
    ['{', 'broken'],
    ['{"a":1,,}', 'broken'],
    ['{} {}', 'broken'],
    ['[]', 'unknown-shape'],
    ['null', 'unknown-shape'],
    ['{"hooks":[]}', 'unknown-shape'],
    ['{"hooks":null}', 'unknown-shape'],
    ['{"hooks":{"Stop":{}}}', 'unknown-shape'],
    ['{"hooks":{"Stop":["x"]}}', 'unknown-shape'],
    ['{"hooks":{"Stop":[{"command":"x","timeout_ms":1}]}}', 'unknown-shape'],
    ['{"hooks":{"Stop":[{"hooks":{}}]}}', 'unknown-shape'],
    ['{"hooks":{},"hooks":{}}', 'unknown-shape'],
    ['{"hooks":{"Stop":[],"Stop":[]}}', 'unknown-shape'],
    ['['.repeat(100_000), 'broken'],
  ])('refuse %.40j as %s', (text, code) => {
    const change = (): string => (text === '' ? removeHooks(text, claude) : addHooks(text, claude, wanted('Stop')));
    expect(change).toThrow(SettingsError);
    expect(change).toThrow(expect.objectContaining({ code }) as Error);
  });

  it('names the line and the column of what is broken', () => {
    expect(() => addHooks('{\r\n  "a": 1\r\n  "b": 2\r\n}', claude, wanted('Stop'))).toThrow(/comma expected at line 3, column 3/);
  });
});

describe('hooks of an agent', () => {
  it.each<[HookAgentName, string, number | undefined, number]>([
    ['claude-code', 'Stop', undefined, 5],
    ['claude-code', 'PermissionRequest', 55, 65],
    ['codex', 'SessionEnd', undefined, 3],
    ['codex', 'Interrupt', undefined, 3],
    ['codex', 'PermissionRequest', 55, 65],
    ['gemini-cli', 'AfterTool', undefined, 5000],
  ])('of %s have timeouts in its own unit: %s', (name, event, hold, timeout) => {
    expect(timeoutFor(hookAgent(name), event, hold)).toBe(timeout);
  });

  it.each<HookAgentName>(['claude-code', 'codex', 'gemini-cli'])('of %s are those that become Events', async (name) => {
    const events = await hookEvents(hookAgent(name));
    expect(events).toEqual(expect.arrayContaining(['SessionStart', 'SessionEnd']));
    expect(events).not.toContain('WorktreeCreate');
    expect(events).not.toContain('PreCompress');
    expect(new Set(events).size).toBe(events.length);
    for (const held of hookAgent(name).heldHooks) expect(events).toContain(held);
  });

  it('have complaints of the agent about the file told', () => {
    expect(complaintAbout('{ "a": 1 // x\n}', claude)).toContain('Claude Code takes neither comments');
    expect(complaintAbout('{ "a": 1 // x\n}', hookAgent('gemini-cli'))).toBeUndefined();
    expect(complaintAbout('{"$schema":"x"}', hookAgent('codex'))).toContain('"$schema"');
    expect(complaintAbout('{"description":"x","hooks":{}}', hookAgent('codex'))).toBeUndefined();
    expect(complaintAbout(' ', claude)).toBeUndefined();
  });
});
