import type { AepEvent, Capture, JsonObject } from '@aepkit/envelope';
import { describe, expect, it } from 'vitest';

import { DEFAULT_MAX_EVENTS, StreamValidator, type StreamOptions } from '../src/index.js';
import { event } from './events.js';

/** `{severity} {code} {id of the Event}` of everything that is found. */
function found(events: readonly AepEvent[], options?: StreamOptions): string[] {
  const validator = new StreamValidator(options);
  return [...events.flatMap((each) => validator.push(each)), ...validator.end()].map((issue) => `${issue.severity} ${issue.code} ${issue.eventId}`.trim());
}

const at = (id: string, type: string, epoch: number | undefined, seq: number, more: object = {}): AepEvent => event(type, { id, epoch, seq, ...more });
const form = {
  kind: 'form',
  prompt: 'p',
  fields: [
    { id: 'one', type: 'select', label: 'l', choices: [{ id: 'a', label: 'a' }, { id: 'b', label: 'b' }] },
    { id: 'many', type: 'select', label: 'l', multi: true, choices: [{ id: 'a', label: 'a' }] },
    { id: 'open', type: 'select', label: 'l', other: true, choices: [{ id: 'a', label: 'a' }] },
    { id: 'text', type: 'string', label: 'l', required: true },
    { id: 'n', type: 'number', label: 'l' },
    { id: 'b', type: 'boolean', label: 'l' },
  ],
};

describe('StreamValidator, identity', () => {
  it('passes over redelivery that is equal as a JSON value, whatever the order of members [E-086, T-015]', () => {
    const end = event('session.ended', { id: 'end', data: { reason: 'normal', runs: 1 } });
    const turned = Object.fromEntries(Object.entries({ ...end, data: { runs: 1, reason: 'normal' } }).reverse()) as AepEvent;
    expect(found([end, structuredClone(end), turned])).toEqual([]);
  });

  it('reports one id on two Events that differ, in any attribute, in data or in an extension [E-086]', () => {
    const first = event('tool.denied', { id: 'x', data: { a: 1 }, xbig: 9007199254740993n });
    for (const change of [{ time: '2026-01-02T03:04:06Z' }, { data: { a: 2 } }, { data: { a: 1, b: null } }, { xbig: 9007199254740992n }, { xother: 1 }, { capture: 'full' }]) {
      expect(found([first, { ...first, ...change } as AepEvent])).toEqual(['error id-collision x']);
    }
    expect(found([first, { ...first, xbig: '9007199254740993' }])).toEqual(['error id-collision x']);
  });

  it('takes one id of two sources for two Events [E-084]', () => {
    expect(found([event('agent.idle', { id: 'x' }), event('agent.idle', { id: 'x', source: 'aep://host/agent/b', data: { since_ms: 1 } })])).toEqual([]);
  });

  it('takes equal content under two ids for two Events [E-087]', () => {
    const once = event('agent.idle');
    expect(found([once, { ...once, id: 'other' }])).toEqual([]);
  });

  it('compares copies of several paths by what no hop may change', () => {
    const first = event('tool.denied', { id: 'x', capture: 'full', data: { tool: { name: 'B' }, by: 'policy' } });
    const lowered = { ...first, capture: 'none', data: undefined, xhop: 'relay' } as unknown as AepEvent;
    expect(found([first, lowered], { merged: true })).toEqual([]);
    expect(found([first, lowered])).toEqual(['error id-collision x']);
    expect(found([first, { ...lowered, subject: 'other' }], { merged: true })).toEqual(['error id-collision x']);
  });

  it('compares numbers that no double can hold', () => {
    const first = event('x.a.b.c', { id: 'x', data: JSON.parse('{"n":1e999,"m":[1e999]}') as JsonObject });
    expect(found([first, structuredClone(first)])).toEqual([]);
    expect(found([first, { ...first, data: JSON.parse('{"n":-1e999,"m":[1e999]}') as JsonObject }])).toEqual(['error id-collision x']);
  });
});

describe('StreamValidator, order', () => {
  it('accepts gaps, a new epoch that starts anew, and an absent epoch as 0 [E-072, E-073, E-032]', () => {
    expect(found([at('a', 'tool.denied', undefined, 5), at('b', 'tool.denied', 0, 9), at('c', 'tool.denied', 3, 0), at('d', 'tool.denied', 3, 1)])).toEqual([]);
  });

  it('reports a position that does not rise, one that is taken, and an epoch that returns [E-070, E-071, E-075, E-080]', () => {
    expect(found([at('a', 'tool.denied', 1, 5), at('b', 'tool.denied', 1, 4)])).toEqual(['error position-not-increasing b']);
    expect(found([at('a', 'tool.denied', 1, 5), at('b', 'tool.denied', 1, 5)])).toEqual(['error position-taken b']);
    expect(found([at('a', 'tool.denied', 1, 5), at('b', 'tool.denied', 2, 0), at('c', 'tool.denied', 1, 6), at('d', 'tool.denied', 2, 1)])).toEqual(['error epoch-return c']);
    expect(found([at('a', 'tool.denied', 0, 5), at('b', 'tool.denied', 0, 2), at('c', 'tool.denied', 0, 3), at('d', 'tool.denied', 0, 6)])).toEqual([
      'error position-not-increasing b',
      'error position-not-increasing c',
    ]);
  });

  it('never asks time for the order [E-082]', () => {
    expect(found([at('a', 'tool.denied', 0, 1, { time: '2026-01-02T00:00:00Z' }), at('b', 'tool.denied', 0, 2, { time: '1999-01-01T00:00:00Z' })])).toEqual([]);
  });

  it('keeps sessions of two sources apart, and those of one source [E-047, E-046]', () => {
    const other = { source: 'aep://host/agent/b' };
    expect(found([at('a', 'session.ended', 0, 5), at('b', 'session.ended', 0, 5, other), at('c', 'tool.denied', 0, 6), at('d', 'tool.denied', 0, 5, { session: 's2' })])).toEqual([]);
  });

  it('does not order what has no position [E-038]', () => {
    expect(found([at('a', 'tool.denied', 0, 5), event('agent.idle'), event('control.cancel', { data: { scope: 'session' } }), event('attention.routed', { subject: 'q', cause: 'q' }), at('b', 'tool.denied', 0, 6)])).toEqual([]);
  });

  it('does not report late Events in order of arrival, and still a position that is taken [E-080]', () => {
    const events = [at('a', 'tool.denied', 2, 5), at('b', 'tool.denied', 1, 9), at('c', 'tool.denied', 2, 3), at('d', 'tool.denied', 1, 9)];
    expect(found(events, { order: 'arrival' })).toEqual(['error position-taken d']);
  });
});

describe('StreamValidator, ends', () => {
  const ends = ['run.finished', 'run.failed', 'run.cancelled'] as const;

  it('reports a second end of a run, of whatever kind, over all epochs [T-011, T-016]', () => {
    for (const first of ends) {
      for (const second of ends) {
        expect(found([at('a', first, 0, 1, { run: 'r' }), at('b', second, 7, 0, { run: 'r' })])).toEqual(['error second-run-terminal b']);
      }
    }
    expect(found([at('a', 'run.finished', 0, 1, { run: 'r' }), at('b', 'run.finished', 0, 2, { run: 'q' }), at('c', 'run.failed', 0, 3, { run: 'r', session: 's2' })])).toEqual([]);
  });

  it('tells the outcome of a run by type alone, whatever a status says [T-010]', () => {
    expect(found([at('a', 'run.finished', 0, 1, { run: 'r', data: { status: 'running' } }), at('b', 'run.failed', 0, 2, { run: 'r', data: { reason: 'x', status: 'pending' } })])).toEqual(['error second-run-terminal b']);
  });

  it('reports a second session.ended, over all epochs [T-012, T-016]', () => {
    expect(found([at('a', 'session.ended', 0, 1), at('b', 'session.ended', 4, 0)])).toEqual(['error second-session-end b']);
  });

  it('does not count redelivery of an end [T-015]', () => {
    const run = at('a', 'run.finished', 0, 1, { run: 'r' });
    const session = at('b', 'session.ended', 0, 2);
    expect(found([run, run, session, session, run])).toEqual([]);
  });

  it('accepts a stream without ends, and Events behind an end [T-013, T-014, T-006]', () => {
    expect(found([at('a', 'session.started', 0, 1), at('b', 'run.started', 0, 2, { run: 'r' }), at('c', 'tool.requested', 0, 3, { run: 'r' })])).toEqual([]);
    expect(found([at('a', 'run.finished', 0, 1, { run: 'r' }), at('b', 'tool.completed', 0, 2, { run: 'r' }), at('c', 'session.ended', 0, 3), at('d', 'tool.completed', 0, 4)])).toEqual([]);
    expect(found([at('a', 'progress.status', 0, 1)])).toEqual([]);
  });

  it('warns of a run Event without run, and of a tool invocation that ends twice [T-007]', () => {
    expect(found([at('a', 'run.started', 0, 1), at('b', 'run.finished', 0, 2)])).toEqual(['warning missing-run a', 'warning missing-run b']);
    const tool = (id: string, type: string, seq: number): AepEvent => at(id, type, 0, seq, { data: { tool: { name: 'B', call_id: 'c' } } });
    expect(found([tool('a', 'tool.completed', 1), tool('b', 'tool.failed', 2)])).toEqual(['warning second-tool-terminal b']);
    expect(found([at('a', 'tool.completed', 0, 1), at('b', 'tool.completed', 0, 2)])).toEqual([]);
  });

  it('warns of an end that does not name its start, by what the two share [T-007, T-008]', () => {
    const pairs: [string, string, object][] = [
      ['run.started', 'run.finished', { run: 'r' }],
      ['tool.requested', 'tool.failed', { data: { tool: { name: 'B', call_id: 'c' } } }],
      ['run.step.started', 'run.step.finished', { run: 'r', step: 's' }],
      ['progress.task.planned', 'progress.task.completed', { data: { task: { id: 't' } } }],
      ['delegation.subagent.started', 'delegation.subagent.stopped', { data: { child: { session: 'c' } } }],
      ['delegation.subagent.started', 'delegation.subagent.stopped', { subject: 'agent-7' }],
    ];
    for (const [start, end, shared] of pairs) {
      expect(found([at('a', start, 0, 1, shared), at('b', end, 0, 2, shared)])).toEqual(['warning unlinked-terminal b']);
      expect(found([at('a', start, 0, 1, shared), at('b', end, 0, 2, { ...shared, cause: 'z' })])).toEqual(['warning unlinked-terminal b']);
      expect(found([at('a', start, 0, 1, shared), at('b', end, 0, 2, { ...shared, cause: 'a' })])).toEqual([]);
      expect(found([at('b', end, 0, 2, shared)])).toEqual([]);
    }
  });

  it('accepts a command or its ack as the cause of an end [C-059]', () => {
    const cancel = event('control.cancel', { id: 'cmd', source: 'aep://host/agent/sender', data: { scope: 'run' }, run: 'r' });
    const ack = at('ack', 'control.accepted', 0, 2, { cause: 'cmd' });
    for (const cause of ['cmd', 'ack']) {
      expect(found([at('a', 'run.started', 0, 1, { run: 'r' }), cancel, ack, at('b', 'run.cancelled', 0, 3, { run: 'r', cause })])).toEqual([]);
    }
  });

  it('tells steps of one name in two runs apart', () => {
    const step = (id: string, type: string, seq: number, run: string, cause?: string): AepEvent => at(id, type, 0, seq, { run, step: 's', cause });
    expect(found([step('a', 'run.step.started', 1, 'r'), step('b', 'run.step.started', 2, 'q'), step('c', 'run.step.finished', 3, 'r', 'a'), step('d', 'run.step.finished', 4, 'q', 'b')])).toEqual([]);
  });
});

describe('StreamValidator, attention', () => {
  const ask = (id: string, seq: number, data: JsonObject = { kind: 'input', prompt: 'p' }, more: object = {}): AepEvent => at(id, 'attention.requested', 0, seq, { data, ...more });
  const later = (id: string, type: string, seq: number, subject: string | undefined, more: object = {}): AepEvent => at(id, type, 0, seq, { subject, cause: 'x', ...more });

  it('reports a session that ends with a request open [T-175, T-176, T-177]', () => {
    expect(found([ask('q', 1), ask('p', 2), later('r', 'attention.resolved', 3, 'p'), at('end', 'session.ended', 0, 4)])).toEqual(['error open-attention end']);
    expect(found([ask('q', 1), later('a', 'attention.answered', 2, 'q'), at('end', 'session.ended', 0, 3)])).toEqual(['error open-attention end']);
    for (const close of ['attention.resolved', 'attention.timeout']) {
      expect(found([ask('q', 1), later('r', close, 2, 'q'), at('end', 'session.ended', 0, 3)])).toEqual([]);
    }
  });

  it('looks at requests of the same (source, session) only [T-177, E-047]', () => {
    expect(found([ask('q', 1, undefined, { session: 's2' }), ask('p', 1, undefined, { source: 'aep://host/agent/b' }), at('end', 'session.ended', 0, 2)])).toEqual([]);
  });

  it('sets no deadline for a session that does not end, and none for an answer to be resolved [T-181]', () => {
    expect(found([ask('q', 1), later('a', 'attention.answered', 2, 'q')])).toEqual([]);
  });

  it('remembers a request over epochs', () => {
    expect(found([ask('q', 5), at('end', 'session.ended', 3, 0)])).toEqual(['error open-attention end']);
    expect(found([ask('q', 5), at('r', 'attention.timeout', 3, 0, { subject: 'q', cause: 'q' }), at('end', 'session.ended', 3, 1)])).toEqual([]);
  });

  it('reports a second terminal of a request; as a warning where a resolution follows a timeout [T-178]', () => {
    const end = (first: string, second: string): string[] => found([ask('q', 1), later('a', first, 2, 'q'), later('b', second, 3, 'q')]);
    expect(end('attention.resolved', 'attention.resolved')).toEqual(['error second-attention-terminal b']);
    expect(end('attention.resolved', 'attention.timeout')).toEqual(['error second-attention-terminal b']);
    expect(end('attention.timeout', 'attention.timeout')).toEqual(['error second-attention-terminal b']);
    expect(end('attention.timeout', 'attention.resolved')).toEqual(['warning second-attention-terminal b']);
    expect(found([later('a', 'attention.resolved', 2, 'q'), later('b', 'attention.timeout', 3, 'q')])).toEqual(['error second-attention-terminal b']);
  });

  it('asks later attention Events for the request they belong to, and recommends a cause [T-171, T-172, C-049]', () => {
    for (const type of ['attention.answered', 'attention.resolved', 'attention.timeout']) {
      expect(found([at('a', type, 0, 1, { cause: 'x' })])).toEqual(['error missing-subject a']);
      expect(found([at('a', type, 0, 1, { subject: 'q' })])).toEqual(['warning unlinked-attention a']);
    }
    expect(found([event('attention.routed', { id: 'a' })])).toEqual(['error missing-subject a', 'warning unlinked-attention a']);
    expect(found([event('control.attention.respond', { id: 'a', data: { answer: {} } })])).toEqual(['error missing-subject a']);
    expect(found([ask('q', 1)])).toEqual([]);
  });

  it('reports a subject that is no request; one that is not in the stream decides nothing [T-171, E-085]', () => {
    expect(found([at('t', 'tool.denied', 0, 1), later('a', 'attention.resolved', 2, 't')])).toEqual(['error wrong-subject a']);
    expect(found([later('a', 'attention.resolved', 2, 'unknown')])).toEqual([]);
    expect(found([at('t', 'tool.denied', 0, 1, { session: 's2' }), later('a', 'attention.resolved', 2, 't')])).toEqual([]);
    expect(found([at('t', 'tool.denied', 0, 1, { source: 'aep://host/agent/b' }), later('a', 'attention.resolved', 2, 't')])).toEqual([]);
  });

  it('follows the loop by subject alone, whatever is missing between, and takes any of three causes of the resolution [T-173, T-236]', () => {
    const loop = [
      ask('q', 1),
      event('attention.routed', { id: 'routed', source: 'aep://host/agent/router', agent: 'router', subject: 'q', cause: 'q' }),
      event('control.attention.respond', { id: 'cmd', source: 'aep://host/agent/sender', subject: 'q', cause: 'q', data: { answer: { option: 'yes' } } }),
      at('ack', 'control.accepted', 0, 2, { cause: 'cmd' }),
      later('ans', 'attention.answered', 3, 'q', { cause: 'ack', data: { answer: { option: 'yes' } } }),
    ];
    for (const cause of ['cmd', 'ack', 'ans']) {
      expect(found([...loop, later('res', 'attention.resolved', 4, 'q', { cause }), at('end', 'session.ended', 0, 5)])).toEqual([]);
    }
    expect(found([loop[0]!, later('res', 'attention.resolved', 4, 'q'), at('end', 'session.ended', 0, 5)])).toEqual([]);
  });

  it('takes attention.routed from another source as part of the session, without a position [T-180]', () => {
    expect(found([ask('q', 1), event('attention.routed', { source: 'aep://host/agent/router', subject: 'q', cause: 'q' }), at('b', 'tool.denied', 0, 2)])).toEqual([]);
  });

  it('looks for open requests at the end of a stream in order of arrival, by position', () => {
    const arrival = { order: 'arrival' } as const;
    const end = at('end', 'session.ended', 0, 9);
    expect(found([end, ask('q', 1), later('r', 'attention.resolved', 2, 'q')], arrival)).toEqual([]);
    expect(found([later('r', 'attention.resolved', 2, 'q'), end, ask('q', 1)], arrival)).toEqual([]);
    expect(found([ask('q', 1), end, later('r', 'attention.resolved', 2, 'q')], arrival)).toEqual([]);
    expect(found([end, ask('q', 1), later('r', 'attention.resolved', 12, 'q')], arrival)).toEqual(['error open-attention end']);
    expect(found([end, ask('q', 1)], arrival)).toEqual(['error open-attention end']);
    expect(found([end, ask('q', 10)], arrival)).toEqual([]);
    expect(found([at('end', 'session.ended', 1, 0), ask('q', 10)], arrival)).toEqual(['error open-attention end']);
  });
});

describe('StreamValidator, answers to forms', () => {
  const answered = (values: JsonObject, request: JsonObject = form, capture: Capture = 'redacted'): string[] => {
    const validator = new StreamValidator();
    validator.push(at('q', 'attention.requested', 0, 1, { data: request }));
    return validator.push(at('a', 'attention.answered', 0, 2, { subject: 'q', cause: 'q', capture, data: { answer: { values } } })).map((issue) => `${issue.severity} ${issue.code} ${issue.path ?? ''}`);
  };

  it('accepts choices, texts, numbers and booleans of their fields, and absent ones [T-095, T-103]', () => {
    expect(answered({ one: 'a', many: ['a'], open: 'free text', text: 't', n: 1, b: true })).toEqual([]);
    expect(answered({ many: 'a', open: 'a' })).toEqual([]);
    expect(answered({})).toEqual([]);
  });

  it('reports a value that is no choice of a closed field, one element being enough [T-103]', () => {
    expect(answered({ one: 'c' })).toEqual(['error not-a-choice $.data.answer.values.one']);
    expect(answered({ many: ['a', 'c', 'd'] })).toEqual(['error not-a-choice $.data.answer.values.many']);
    expect(answered({ one: 5, many: [5], open: [5] })).toEqual([
      'error not-a-choice $.data.answer.values.one',
      'error not-a-choice $.data.answer.values.many',
      'error wrong-answer $.data.answer.values.open',
      'error not-a-choice $.data.answer.values.open',
    ]);
  });

  it('reads absent flags as false [T-057]', () => {
    const field = { id: 'f', type: 'select', label: 'l', choices: [{ id: 'a', label: 'a' }] };
    expect(answered({ f: ['a'] }, { ...form, fields: [field] })).toEqual(['error wrong-answer $.data.answer.values.f']);
    expect(answered({ f: 'free' }, { ...form, fields: [field] })).toEqual(['error not-a-choice $.data.answer.values.f']);
    expect(answered({ f: ['a', 'free'] }, { ...form, fields: [{ ...field, multi: true, other: true }] })).toEqual([]);
  });

  it('reports values of another type than their field has, and such without a field [T-095, T-104]', () => {
    expect(answered({ text: 1, n: '1', b: 'yes', 'no such': 1 })).toEqual([
      'error wrong-answer $.data.answer.values.text',
      'error wrong-answer $.data.answer.values.n',
      'error wrong-answer $.data.answer.values.b',
      'error unknown-field $.data.answer.values["no such"]',
    ]);
  });

  it('reports free text below redacted, and no absent text [T-096, T-097, T-103, T-233]', () => {
    expect(answered({ one: 'a', many: ['a'], open: 'a', n: 1, b: false }, form, 'metadata')).toEqual([]);
    expect(answered({ text: 't', open: 'free' }, form, 'metadata')).toEqual(['error ungated-answer $.data.answer.values.text', 'error ungated-answer $.data.answer.values.open']);
    expect(answered({ n: 'text' }, form, 'metadata')).toEqual(['error wrong-answer $.data.answer.values.n', 'error ungated-answer $.data.answer.values.n']);
  });

  it('reports answers to a request that is no form [T-094]', () => {
    expect(answered({ x: 1 }, { kind: 'input', prompt: 'p' })).toEqual(['error not-a-form $.data.answer.values']);
  });

  it('checks nothing where the request is not in the stream, or came without data [T-103]', () => {
    const answer = at('a', 'attention.answered', 0, 2, { subject: 'q', cause: 'q', data: { answer: { values: { one: 'zzz' } } } });
    expect(found([answer])).toEqual([]);
    expect(found([at('q', 'attention.requested', 0, 1, { capture: 'none' }), answer])).toEqual([]);
    expect(found([at('q', 'attention.requested', 0, 1, { data: form, source: 'aep://host/agent/b' }), answer])).toEqual([]);
  });

  it('survives malformed forms and answers', () => {
    for (const fields of ['x', [null, 'x', { id: 5 }, { id: 'f', type: 'date' }, { id: 'one', type: 'select', choices: 'x' }], {}]) {
      expect(answered({ one: 'a' }, { ...form, fields }).every((issue) => issue.startsWith('error'))).toBe(true);
    }
    for (const data of [{ answer: 'x' }, { answer: { values: ['x'] } }, { answer: null }]) {
      expect(found([at('q', 'attention.requested', 0, 1, { data: form }), at('a', 'attention.answered', 0, 2, { subject: 'q', cause: 'q', data })])).toEqual([]);
    }
  });
});

describe('StreamValidator, acks', () => {
  const cancel = (id: string, more: object = {}): AepEvent => event('control.cancel', { id, source: 'aep://host/agent/sender', data: { scope: 'session' }, ...more });
  const ack = (id: string, type: string, seq: number, cause?: string, more: object = {}): AepEvent => at(id, type, 0, seq, { cause, ...more });

  it('reports a second distinct ack of a command, agreeing or not, and no redelivery [C-016]', () => {
    const accepted = ack('a', 'control.accepted', 1, 'cmd');
    expect(found([cancel('cmd'), accepted, accepted])).toEqual([]);
    expect(found([cancel('cmd'), accepted, ack('b', 'control.accepted', 2, 'cmd')])).toEqual(['error second-ack b']);
    expect(found([cancel('cmd'), accepted, ack('b', 'control.rejected', 2, 'cmd', { data: { reason: 'busy' } })])).toEqual(['error second-ack b']);
    expect(found([accepted, ack('b', 'control.rejected', 1, 'cmd', { source: 'aep://host/agent/b' })])).toEqual([]);
  });

  it('asks an ack for the command it answers [C-017]', () => {
    expect(found([ack('a', 'control.accepted', 1)])).toEqual(['error missing-cause a']);
    expect(found([at('t', 'tool.denied', 0, 1), ack('a', 'control.rejected', 2, 't')])).toEqual(['error wrong-cause a']);
  });

  it('takes vendor commands for commands, and skips the check where the command is not in the stream', () => {
    expect(found([event('x.acme.control.jump', { id: 'v' }), ack('a', 'control.accepted', 1, 'v'), ack('b', 'control.accepted', 2, 'unseen')])).toEqual([]);
  });

  it('finds a command although the target has an Event of the same id', () => {
    expect(found([at('cmd', 'tool.denied', 0, 1), cancel('cmd'), ack('a', 'control.accepted', 2, 'cmd')])).toEqual([]);
  });
});

describe('StreamValidator, memory', () => {
  it('has documented defaults and refuses senseless options', () => {
    expect(DEFAULT_MAX_EVENTS).toBe(200_000);
    for (const bad of [0, -1, 1.5, Number.NaN]) {
      for (const name of ['maxEvents', 'maxSessions', 'maxUnits', 'maxRequests']) expect(() => new StreamValidator({ [name]: bad })).toThrow(RangeError);
    }
    expect(() => new StreamValidator({ order: 'time' as 'emission' })).toThrow(TypeError);
    expect(() => new StreamValidator({ maxEvents: Infinity, maxSessions: Infinity, maxUnits: Infinity, maxRequests: Infinity })).not.toThrow();
  });

  it('forgets at its limit what was used longest ago, says so at the end, and goes on', () => {
    const denied = (id: string, seq: number): AepEvent => at(id, 'tool.denied', 0, seq);
    const first = denied('a', 1);
    const atLimit = new StreamValidator({ maxEvents: 2 });
    expect([first, denied('b', 2), first].flatMap((each) => atLimit.push(each))).toEqual([]);
    expect(atLimit.end()).toEqual([]);
    expect(atLimit.push(denied('c', 3))).toEqual([]);
    expect(atLimit.forgotten).toBe(1);
    expect(atLimit.push(first)).toEqual([]);
    expect(atLimit.push(denied('b', 2)).map((issue) => issue.code)).toEqual(['position-not-increasing']);
    expect(atLimit.end().map((issue) => `${issue.severity} ${issue.code}`)).toEqual(['warning forgotten']);
  });

  it('forgets sessions, units and requests in the same way', () => {
    const sessions = [1, 2, 3].map((n) => at(`s${n}`, 'session.ended', 0, 5, { session: `s${n}` }));
    expect(found([...sessions, at('again', 'session.ended', 0, 4, { session: 's1' })], { maxSessions: 2 })).toEqual(['warning forgotten']);
    expect(found([...sessions, at('again', 'session.ended', 0, 4, { session: 's1' })], { maxSessions: 3 })).toEqual(['error position-not-increasing again', 'error second-session-end again']);

    const runs = [1, 2, 3].map((n) => at(`r${n}`, 'run.finished', 0, n, { run: `r${n}` }));
    expect(found([...runs, at('again', 'run.failed', 0, 9, { run: 'r1' })], { maxUnits: 2 })).toEqual(['warning forgotten']);

    const asks = [1, 2, 3].map((n) => at(`q${n}`, 'attention.requested', 0, n, { data: { kind: 'input', prompt: 'p' } }));
    const end = at('end', 'session.ended', 0, 9);
    expect(found([...asks, end], { maxRequests: 2 })).toEqual(['error open-attention end', 'error open-attention end', 'warning forgotten']);
  });

  it('counts fields and choices of forms', () => {
    const size = 1 + 6 + 4;
    const two = [at('q', 'attention.requested', 0, 1, { data: form }), at('p', 'attention.requested', 0, 2, { data: form })];
    expect(found(two, { maxRequests: 2 * size })).toEqual([]);
    expect(found(two, { maxRequests: 2 * size - 1 })).toEqual(['warning forgotten']);
  });
});

describe('StreamValidator, issues', () => {
  it('name Event and place, and quote what a sender named', () => {
    const validator = new StreamValidator();
    validator.push(at('a', 'run.finished', 0, 1, { run: 'r"\n\u001b[2J' + 'x'.repeat(100) }));
    const [issue] = validator.push(at('b', 'run.failed', 0, 2, { run: 'r"\n\u001b[2J' + 'x'.repeat(100) }));
    expect(issue).toEqual({
      code: 'second-run-terminal',
      severity: 'error',
      message: `run "r\\"\\n\\u001b[2J${'x'.repeat(57)}…" has ended before`,
      source: 'aep://host/agent/a',
      eventId: 'b',
      path: '$.type',
    });
  });
});
