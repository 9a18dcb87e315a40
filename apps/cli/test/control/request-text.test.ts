import { buildEvent } from '@aepkit/testkit';
import type { AepEvent, JsonObject } from '@aepkit/envelope';
import { describe, expect, it } from 'vitest';

import { fieldLines, isAnswerable, requestLines } from '../../src/control/request-text.js';
import { painter } from '../../src/terminal.js';

const paint = painter({}, {});
const ask = (data: JsonObject, over: Readonly<Record<string, unknown>> = {}): AepEvent =>
  buildEvent({ type: 'attention.requested', id: 'r1', session: 's1', time: '2026-01-01T00:00:00Z', capture: 'redacted', data: { kind: 'permission', prompt: 'p', ...data }, ...over });
const text = (event: AepEvent): string => requestLines({ event, now: Date.parse('2026-01-01T00:05:00Z'), paint }).join('\n');

describe('requestLines', () => {
  it('say who asks, since when, how long it holds, what about and which answers there are', () => {
    const event = ask({ prompt: 'Permission requested: Bash\nrm -r build', options: [{ id: 'allow', label: 'Allow' }, { id: 'deny', label: 'deny' }], expires_at: '2026-01-01T00:05:50Z' }, { subject: 'Bash', agent: 'claude-code' });
    expect(text(event)).toBe('r1  claude-code  session s1  5 min ago, expires in 50 s\n  permission Bash\n  | Permission requested: Bash\n  | rm -r build\n  options: allow (Allow), deny');
  });

  it('show an id beside a label that says something else', () => {
    expect(text(ask({ options: [{ id: 'allow', label: 'Deny' }] }))).toContain('allow (Deny)');
  });

  it('say when a text is withheld', () => {
    expect(text(ask({}, { capture: undefined }))).toContain('at capture metadata');
  });

  it('let no text control a terminal, and no prompt fill it', () => {
    const hostile = '\u001b]0;x\u0007\u001b[2J\u202eevil';
    const event = ask({ prompt: `${hostile}\n`.repeat(500), options: [{ id: hostile, label: hostile }], context: { [hostile]: 'y'.repeat(5000) } }, { subject: hostile, agent: hostile });
    const shown = text(event);
     
    expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202e]/);
    expect(shown.length).toBeLessThan(8000);
    expect(shown).toContain('more lines');
  });

  it('bear whatever an Event holds in place of what belongs there', () => {
    for (const data of [{ options: 1 }, { options: [null, 'x', {}] }, { fields: [null, { id: 1 }] }, { prompt: 7 }, { context: null }, { expires_at: 'soon' }] as never[]) {
      const event = ask({});
      Object.assign(event, { data });
      expect(() => [text(event), fieldLines(event), isAnswerable(event)]).not.toThrow();
    }
  });
});

describe('isAnswerable', () => {
  it.each([
    [{}, undefined],
    [{ respond_via: ['control'] }, true],
    [{ respond_via: ['oob', 'control'] }, true],
    [{ respond_via: ['oob'] }, false],
    [{ respond_via: [] }, false],
  ])('reads %j', (data, expected) => {
    expect(isAnswerable(ask(data))).toBe(expected);
  });
});
