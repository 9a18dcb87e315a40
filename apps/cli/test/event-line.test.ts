import type { AepEvent } from '@aepkit/envelope';
import { registry } from '@aepkit/taxonomy';
import { buildEvent } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { eventLine } from '../src/event-line.js';
import { painter } from '../src/terminal.js';

const paint = painter({});
const line = (overrides: Record<string, unknown>): string => eventLine(buildEvent(overrides), paint);

describe('eventLine', () => {
  it('shows type, session, subject and facts of every mandatory type [T-002]', () => {
    const mandatory = registry.filter(({ status }) => status === 'mandatory');
    expect(mandatory).toHaveLength(14);
    for (const { type } of mandatory) {
      const text = line({ type, session: 'session-1', subject: 'Bash', data: { reason: 'error', tool: { name: 'Bash' }, n: 3, list: [1] } });
      expect(text).toContain(` session-1 ${type} Bash reason=error tool.name=Bash n=3`);
    }
  });

  it('shows types it does not know, and Events without session or data', () => {
    expect(line({ type: 'x.acme.deploy.done', data: undefined })).toMatch(/ s1 x\.acme\.deploy\.done$/);
    expect(line({ type: 'agent.idle', session: undefined, seq: undefined, data: undefined })).toMatch(/ a1 agent\.idle$/);
  });

  it('keeps one Event on one line whatever is in it', () => {
    const text = line({ subject: 'a\nb\u2028c', session: '\u001b[31m', data: { '\r': '\u0000'.repeat(1000) } });
     
    expect(text).not.toMatch(/[\u0000-\u001f\u2028]/);
    expect(text.length).toBeLessThan(400);
  });

  it('shows a time that Date cannot read as it stands', () => {
    expect(eventLine({ ...(buildEvent() as object), time: '2016-12-31T23:59:60Z' } as AepEvent, paint)).toContain('2016-12-31T23:59:60Z');
  });
});
