import { captureOf, isRfc3339, isVendorType, validateEvent } from '@aepkit/envelope';
import { checkEmission, typeEntry, validatePayload, type PayloadType } from '@aepkit/taxonomy';
import { describe, expect, it } from 'vitest';

import type { EpochStore, SessionNote } from '../src/index.js';
import { collect, emitAny, faults, refusal } from './support.js';

const tool = { name: 'Bash', call_id: 'c1' };

describe('an Event of a session', () => {
  it('has all that an Event needs, and nothing without a value [E-005, E-008, E-015, E-017, E-018, E-020, E-030, E-034, B-176]', async () => {
    const { emitter, transport, events } = collect({ now: () => Date.UTC(2026, 0, 2), createId: ids() });
    const session = await emitter.session();
    session.emit('progress.status');
    const [event] = await events();
    expect(event).toEqual({
      aep: '0.1',
      id: 'id-2',
      type: 'progress.status',
      time: '2026-01-02T00:00:00.000Z',
      source: 'aep://host/agent/agent/session/id-1',
      agent: 'agent',
      session: 'id-1',
      seq: 0,
    });
    expect(transport.events[0]!.json).toBe(JSON.stringify(event));
  });

  it('has an id that was never there before and sorts by time [E-010, E-011]', async () => {
    let now = Date.UTC(2026, 0, 2);
    const { emitter, events } = collect({ now: () => (now -= 5) });
    const session = await emitter.session();
    for (let count = 0; count < 200; count += 1) session.emit('progress.status');
    const seen = (await events()).map(({ id }) => id);
    expect(new Set(seen).size).toBe(200);
    expect(seen.every((id) => /^[0-9A-HJKMNP-TV-Z]{26}$/.test(id))).toBe(true);
    // Also while the clock runs backwards.
    expect(seen.toSorted()).toEqual(seen);
  });

  it('is counted by its session alone, from 0, without a break while others are emitted between [E-044, E-069, E-070, E-071]', async () => {
    const { emitter, events } = collect();
    const [a, b] = [await emitter.session(), await emitter.session()];
    for (let round = 0; round < 5; round += 1) {
      a.emit('progress.status');
      if (round % 2 === 0) b.emit('progress.status');
      emitter.emitAgent('agent.heartbeat');
    }
    const all = await events();
    expect(all.filter(({ session }) => session === a.name).map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4]);
    expect(all.filter(({ session }) => session === b.name).map(({ seq }) => seq)).toEqual([0, 1, 2]);
    expect(all.filter(({ type }) => type === 'agent.heartbeat').every(({ seq, session, run, step }) => [seq, session, run, step].every((value) => value === undefined))).toBe(true);
  });

  it('uses no number for what was refused [E-056, E-072]', async () => {
    const { emitter, events } = collect();
    const session = await emitter.session();
    session.emit('progress.status');
    expect(refusal(() => emitAny(session, 'tool.exploded'))).toBe('unknown-type');
    expect(refusal(() => emitAny(session, 'progress.status', { extensions: { 'Bad-Name': 1 } }))).toBe('invalid-extension');
    expect(refusal(() => emitAny(session, 'progress.status', { data: { percent: 101 } }))).toBe('invalid-payload');
    session.emit('progress.status');
    expect((await events()).map(({ seq }) => seq)).toEqual([0, 1]);
  });

  it('carries subject, run, step, cause, traceparent and time as given [E-013, E-021, E-024, E-025]', async () => {
    const { emitter, events } = collect();
    const session = await emitter.session();
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    session.emit('progress.status', { subject: 'src/a b.ts', run: 'r', step: 's', cause: 'e', traceparent, time: '2026-01-02T03:04:05+01:00' });
    session.emit('progress.status', { time: new Date(0) });
    expect((await events())[0]).toMatchObject({ subject: 'src/a b.ts', run: 'r', step: 's', cause: 'e', traceparent, time: '2026-01-02T03:04:05+01:00' });
    expect((await events())[1]!.time).toBe('1970-01-01T00:00:00.000Z');
  });

  it.each([
    ['time', { time: 'yesterday' }],
    ['time', { time: '2026-02-30T00:00:00Z' }],
    ['time', { time: new Date(Number.NaN) }],
    ['traceparent', { traceparent: `00-${'A'.repeat(32)}-${'b'.repeat(16)}-01` }],
    ['severity', { severity: 'fatal' }],
    ['capture', { capture: 'everything' }],
  ])('is refused with a wrong %s [E-015, E-022, E-025, E-027, E-028]', async (name, emission) => {
    const { emitter, events } = collect();
    const session = await emitter.session();
    expect(refusal(() => emitAny(session, 'progress.status', emission))).toBe('invalid-attribute');
    expect(await events()).toEqual([]);
    expect(name).toBeDefined();
  });

  it.each(['tool.exploded', 'tool', 'banana.peeled', 'Tool.completed', 'tool.completed ', 'dev.aep.tool.completed', 'x.acme.foo', 'x.acme.banana.foo', 'x.Acme.session.foo', 'x.acme.agent.foo', 'message.user.submitted', '', 5, undefined, null])(
    'is refused with the type %j [E-012, E-061, E-063, E-065, E-066, E-112, T-027]',
    async (type) => {
      const { emitter, events } = collect();
      const session = await emitter.session();
      expect(refusal(() => emitAny(session, type))).toBe('unknown-type');
      expect(await events()).toEqual([]);
    },
  );

  it.each(['agent.idle', 'control.cancel', 'control.attention.respond', 'x.acme.control.stop', 'attention.routed'])(
    'is not one that somebody else than the owner emits: %s [E-036, E-044]',
    async (type) => {
      const { emitter } = collect();
      const session = await emitter.session();
      expect(refusal(() => emitAny(session, type, { subject: 's', data: { answer: {}, scope: 'run' } }))).toBe('wrong-scope');
    },
  );

  it('holds a vendor type as it is, and its data at metadata [E-063, E-112, T-127]', async () => {
    const { emitter, events } = collect();
    const session = await emitter.session();
    session.emit('x.my-vendor.tool.cache_hit', { data: { hits: 3 } });
    session.emit('session.started', { data: { client: { name: 'c' } }, members: { trigger: 'startup' } });
    const [vendor, started] = await events();
    expect(vendor).toMatchObject({ type: 'x.my-vendor.tool.cache_hit', data: { hits: 3 } });
    expect(started!.data).toEqual({ client: { name: 'c' }, trigger: 'startup' });
    expect(refusal(() => session.emit('progress.status', { data: { phase: 'a' }, members: { phase: 'b' } }))).toBe('invalid-payload');
  });

  it('has passed envelope, payload and emission checks, whatever the type [E-111, E-112]', async () => {
    const { emitter, events } = collect();
    const session = await emitter.session();
    const examples: Partial<Record<PayloadType, object>> = {
      'run.failed': { reason: 'error' },
      'tool.requested': { tool },
      'tool.completed': { tool },
      'tool.failed': { tool: { name: 'A' }, error: {} },
      'tool.denied': { tool: { name: 'B' }, by: 'policy' },
      'attention.requested': { kind: 'input', prompt: 'x' },
      'control.rejected': { reason: 'busy' },
    };
    for (const type of ['session.started', 'run.started', 'run.step.started', 'run.step.finished', ...Object.keys(examples), 'state.snapshot', 'assessment.feedback.received'] as const) {
      emitAny(session, type, { run: 'r', step: 's', cause: type, data: examples[type as PayloadType] });
    }
    session.end();
    const all = await events();
    expect(all).toHaveLength(15);
    for (const event of all) {
      expect([validateEvent(event), validatePayload(event), checkEmission(event).filter(({ severity }) => severity === 'error')]).toEqual([undefined, [], []]);
      expect(typeEntry(event.type) !== undefined || isVendorType(event.type)).toBe(true);
      expect(isRfc3339(event.time)).toBe(true);
    }
    expect(faults(all)).toEqual([]);
  });

  it.each([
    ['run.started', { }, 'missing-run'],
    ['run.step.started', { run: 'r' }, 'missing-step'],
    ['attention.resolved', { data: { resolution: 'auto' } }, 'missing-subject'],
    ['control.accepted', {}, 'missing-cause'],
  ] as const)('of type %s cannot do without what pairs it [E-022, T-007, T-023, T-171]', async (type, emission, code) => {
    const { emitter } = collect();
    const session = await emitter.session();
    expect(refusal(() => emitAny(session, type, emission))).toBe(code);
  });

  it.each([
    ['tool.requested', {}],
    ['tool.requested', undefined],
    ['tool.completed', { tool: { name: 5 } }],
    ['tool.denied', { tool }],
    ['session.ended', { reason: 'exit' }],
    ['run.finished', { cost: { total: 1 } }],
    ['run.finished', { cost: { currency: 'euro' } }],
    ['attention.requested', { kind: 'permission', prompt: 'p', fields: [{ id: 'f', type: 'string', label: 'l' }] }],
    ['attention.requested', { kind: 'form', prompt: 'p' }],
    ['attention.requested', { kind: 'form', prompt: 'p', fields: [{ id: 'f', type: 'string', label: 'l' }, { id: 'f', type: 'string', label: 'l' }] }],
    ['attention.requested', { kind: 'form', prompt: 'p', fields: [{ id: 'f', type: 'string', label: 'l', min: 1 }] }],
    ['attention.requested', { kind: 'input', prompt: 'p', expires_at: 'soon' }],
    ['resource.citation.recorded', { citations: [{}] }],
    ['resource.citation.recorded', { citations: [{ source: {}, offset: { char: { start: 0, end: 1 }, page: { page: 1 } } }] }],
    ['tool.completed', { tool, result: [1, 2] }],
    ['tool.requested', { tool, args: 'ls' }],
    ['progress.status', { percent: '5' }],
  ] as const)('with a wrong payload is refused: %s %j [E-029, T-039, T-040, T-047, T-049, T-056, T-078, T-080, T-237]', async (type, data) => {
    const { emitter, events } = collect();
    const session = await emitter.session();
    expect(refusal(() => emitAny(session, type, { run: 'r', data }))).toBe('invalid-payload');
    expect(await events()).toEqual([]);
  });

  it('says where a payload is wrong and never what it holds', async () => {
    const { emitter } = collect();
    const session = await emitter.session();
    try {
      emitAny(session, 'tool.completed', { data: { tool: { name: 'A' }, duration_ms: 'hunter2' } });
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: 'invalid-payload', path: '$.data.duration_ms', issues: [{ code: 'wrong-type' }] });
      expect(String(error)).not.toContain('hunter2');
    }
  });
});

describe('the ends of a session', () => {
  it('come once: run, tool call, request, session, ack [T-011, T-012, T-178, T-235]', async () => {
    const { emitter, events } = collect();
    const session = await emitter.session();
    session.emit('run.started', { run: 'r' });
    session.emit('tool.requested', { run: 'r', data: { tool } });
    session.emit('tool.completed', { run: 'r', data: { tool } });
    expect(refusal(() => session.emit('tool.failed', { data: { tool, error: {} } }))).toBe('second-terminal');
    const request = session.emit('attention.requested', { data: { kind: 'input', prompt: 'p' } });
    session.emit('attention.timeout', { subject: request });
    expect(refusal(() => session.emit('attention.resolved', { subject: request, data: { resolution: 'answered' } }))).toBe('second-terminal');
    expect(refusal(() => session.emit('attention.answered', { subject: request, data: { answer: {} } }))).toBe('second-terminal');
    session.emit('run.finished', { run: 'r' });
    for (const type of ['run.finished', 'run.cancelled'] as const) expect(refusal(() => session.emit(type, { run: 'r' }))).toBe('second-terminal');
    expect(refusal(() => session.emit('run.failed', { run: 'r', data: { reason: 'error' } }))).toBe('second-terminal');
    session.emit('control.accepted', { cause: 'command' });
    expect(refusal(() => session.emit('control.rejected', { cause: 'command', data: { reason: 'busy' } }))).toBe('second-ack');
    session.emit('session.ended');
    expect(refusal(() => session.end())).toBe('second-terminal');
    expect(refusal(() => session.emit('session.ended'))).toBe('second-terminal');
    expect(faults(await events())).toEqual([]);
  });

  it('of a call without an id come once for the Event that began it', async () => {
    const { emitter } = collect();
    const session = await emitter.session();
    const cause = session.emit('tool.requested', { data: { tool: { name: 'Bash' } } });
    session.emit('tool.completed', { cause, data: { tool: { name: 'Bash' } } });
    expect(refusal(() => session.emit('tool.completed', { cause, data: { tool: { name: 'Bash' } } }))).toBe('second-terminal');
    session.emit('tool.completed', { data: { tool: { name: 'Bash' } } });
    session.emit('tool.completed', { data: { tool: { name: 'Bash' } } });
  });

  it('name what they end [T-007, T-008, T-172]', async () => {
    const { emitter, events } = collect();
    const session = await emitter.session();
    const run = session.emit('run.started', { run: 'r' });
    const step = session.emit('run.step.started', { run: 'r', step: 's' });
    const call = session.emit('tool.requested', { data: { tool } });
    const request = session.emit('attention.requested', { cause: call, data: { kind: 'permission', prompt: 'p' } });
    const answer = session.emit('attention.answered', { subject: request, data: { answer: { option: 'allow' } } });
    session.emit('attention.resolved', { subject: request, data: { resolution: 'answered' } });
    session.emit('tool.completed', { data: { tool } });
    session.emit('run.step.finished', { run: 'r', step: 's' });
    session.emit('run.finished', { run: 'r', cause: 'mine' });
    const causes = new Map((await events()).map(({ type, cause }) => [type, cause]));
    expect(causes.get('attention.answered')).toBe(request);
    expect(causes.get('attention.resolved')).toBe(answer);
    expect(causes.get('tool.completed')).toBe(call);
    expect(causes.get('run.step.finished')).toBe(step);
    expect(causes.get('run.finished')).toBe('mine');
    expect(run).not.toBe('mine');
  });

  it('close requests for attention before the session, as dismissed or as timed out [T-174, T-175, T-176]', async () => {
    for (const requests of ['dismissed', 'timeout'] as const) {
      const { emitter, events } = collect();
      const session = await emitter.session();
      const ids = [1, 2].map(() => session.emit('attention.requested', { data: { kind: 'input', prompt: 'p' } }));
      expect(session.openRequests).toEqual(ids);
      session.end({ requests, data: { reason: 'normal' } });
      const all = await events();
      expect(all.map(({ type }) => type).slice(2)).toEqual([...Array<string>(2).fill(requests === 'timeout' ? 'attention.timeout' : 'attention.resolved'), 'session.ended']);
      expect(all.slice(2, 4).map(({ subject }) => subject)).toEqual(ids);
      expect(session.openRequests).toEqual([]);
      expect(faults(all)).toEqual([]);
    }
  });

  it('close nothing when the end itself is refused', async () => {
    const { emitter, events } = collect();
    const session = await emitter.session();
    session.emit('attention.requested', { data: { kind: 'input', prompt: 'p' } });
    expect(refusal(() => emitAny(session, 'session.ended', { data: { reason: 'nonsense' } }))).toBe('invalid-payload');
    expect(refusal(() => emitAny(session, 'session.ended', { time: 'now' }))).toBe('invalid-attribute');
    expect(await events()).toHaveLength(1);
    expect(session.ended).toBe(false);
  });

  it('are followed by nothing but what is marked as late', async () => {
    const { emitter, events } = collect();
    const session = await emitter.session();
    session.emit('tool.requested', { data: { tool } });
    session.end();
    expect(session.ended).toBe(true);
    expect(refusal(() => session.emit('progress.status'))).toBe('session-ended');
    session.emit('tool.completed', { late: true, data: { tool } });
    expect((await events()).map(({ seq, type }) => [seq, type])).toEqual([
      [0, 'tool.requested'],
      [1, 'x.aepkit.tool.unfinished'],
      [2, 'session.ended'],
      [3, 'tool.completed'],
    ]);
  });

  it('are for the one that raised the request: others are not known [T-182]', async () => {
    const { emitter } = collect();
    const session = await emitter.session();
    for (const type of ['attention.answered', 'attention.resolved', 'attention.timeout']) {
      expect(refusal(() => emitAny(session, type, { subject: 'elsewhere', data: { answer: {}, resolution: 'auto' } }))).toBe('unknown-request');
    }
  });

  it('leave requests with a severity that nothing drops [T-018]', async () => {
    const { emitter, events } = collect();
    const session = await emitter.session();
    session.emit('attention.requested', { data: { kind: 'input', prompt: 'p' } });
    session.emit('attention.requested', { severity: 'info', data: { kind: 'input', prompt: 'p' } });
    session.end();
    expect((await events()).map(({ severity }) => severity)).toEqual(['notice', 'info', 'notice', 'notice', undefined]);
  });

  it('are bounded: so many open requests, so many remembered ends', async () => {
    const { emitter } = collect({ maxRequests: 2, maxUnits: 2 });
    const session = await emitter.session();
    const request = (): string => session.emit('attention.requested', { data: { kind: 'input', prompt: 'p' } });
    const first = request();
    request();
    expect(refusal(request)).toBe('too-many-requests');
    session.emit('attention.timeout', { subject: first });
    request();
    for (const run of ['a', 'b', 'c']) session.emit('run.finished', { run });
    expect(refusal(() => session.emit('run.finished', { run: 'b' }))).toBe('second-terminal');
    session.emit('run.finished', { run: 'a' });
  });
});

describe('a change of state', () => {
  const snapshot = { state: { a: 1 }, key: 'k', rev: 3 };
  const patch = [{ op: 'replace', path: '/a', value: 2 }];

  it('follows a snapshot of its key and reaches a later revision each time [T-150]', async () => {
    const { emitter, events } = collect({ ceiling: 'full' });
    const session = await emitter.session();
    const delta = (data: object): string => session.emit('state.delta', { data });
    expect(refusal(() => delta({ delta: patch, key: 'k', rev: 4 }))).toBe('invalid-delta');
    session.emit('state.snapshot', { data: snapshot });
    expect(refusal(() => delta({ delta: patch, rev: 4 }))).toBe('invalid-delta');
    for (const rev of [2, 3]) expect(refusal(() => delta({ delta: patch, key: 'k', rev }))).toBe('invalid-delta');
    delta({ delta: patch, key: 'k', rev: 4 });
    expect(refusal(() => delta({ delta: patch, key: 'k', rev: 4 }))).toBe('invalid-delta');
    delta({ delta: patch, key: 'k' });
    expect(refusal(() => delta({ delta: patch, key: 'k', rev: 4 }))).toBe('invalid-delta');
    // A snapshot begins anew.
    session.emit('state.snapshot', { data: { ...snapshot, rev: 0 } });
    delta({ delta: patch, key: 'k', rev: 1 });
    expect((await events()).map(({ type }) => type.slice(6))).toEqual(['snapshot', 'delta', 'delta', 'snapshot', 'delta']);
  });

  it.each([
    [{ op: 'replace', path: '/a' }],
    [{ op: 'add', path: 'a', value: 1 }],
    [{ op: 'add', path: '/a~2', value: 1 }],
    [{ op: 'move', path: '/a' }],
    [{ op: 'move', path: '/a', from: 'b' }],
    [{ op: 'set', path: '/a', value: 1 }],
    [{ path: '/a', value: 1 }],
    [{}],
  ])('is made of operations of RFC 6902, not %j [T-150]', async (operation) => {
    const { emitter } = collect();
    const session = await emitter.session();
    session.emit('state.snapshot', { data: snapshot });
    expect(refusal(() => session.emit('state.delta', { data: { key: 'k', delta: [operation] } }))).toBe('invalid-delta');
    session.emit('state.delta', { data: { key: 'k', delta: [{ op: 'add', path: '', value: null }, { op: 'copy', path: '/a~1b', from: '/c~0d' }, { op: 'remove', path: '/a' }] } });
  });
});

describe('a form', () => {
  const form = {
    kind: 'form',
    prompt: 'Deploy?',
    fields: [
      { id: 'where', type: 'select', label: 'Where', choices: [{ id: 'eu', label: 'Europe' }, { id: 'us', label: 'America' }] },
      { id: 'note', type: 'string', label: 'Note' },
      { id: 'count', type: 'number', label: 'Count' },
      { id: 'other', type: 'select', label: 'Other', other: true, choices: [{ id: 'x', label: 'X' }] },
    ],
  } as const;

  it('keeps structural answers at metadata and drops texts and what no field asked for [T-094, T-096, T-097, T-098, T-099, T-104, T-233]', async () => {
    const { emitter, events } = collect();
    const session = await emitter.session();
    const subject = session.emit('attention.requested', { data: form });
    session.emit('attention.answered', { subject, data: { answer: { values: { where: 'eu', note: 'secret', count: 3, other: 'free text', stray: 1 } } } });
    session.emit('attention.answered', { subject, data: { answer: { values: { other: 'x' } } } });
    const [request, answer, second] = await events();
    expect(request!.data).toMatchObject({ prompt: 'agent requests form', fields: [{ label: 'where', choices: [{ label: 'eu' }, { label: 'us' }] }, { label: 'note' }, { label: 'count' }, { label: 'other' }] });
    expect(answer!.data).toEqual({ answer: { values: { where: 'eu', count: 3 } } });
    expect(second!.data).toEqual({ answer: { values: { other: 'x' } } });
    expect(faults(await events())).toEqual([]);
  });

  it.each([{ where: 'mars' }, { count: true }, { where: ['eu', 'us'] }])('is not answered with %j [T-095]', async (values) => {
    const { emitter, events } = collect({ ceiling: 'full' });
    const session = await emitter.session();
    const subject = session.emit('attention.requested', { data: form });
    expect(refusal(() => session.emit('attention.answered', { subject, data: { answer: { values } } }))).toBe('wrong-answer');
    expect(await events()).toHaveLength(1);
  });

  it('alone has answers by field [T-094]', async () => {
    const { emitter } = collect({ ceiling: 'full' });
    const session = await emitter.session();
    const subject = session.emit('attention.requested', { data: { kind: 'input', prompt: 'p' } });
    expect(refusal(() => session.emit('attention.answered', { subject, data: { answer: { values: { a: 1 } } } }))).toBe('wrong-answer');
  });
});

describe('a session by name', () => {
  const store = (memory: Partial<Awaited<ReturnType<EpochStore['open']>>> = {}): EpochStore & { notes: [string, SessionNote][] } => {
    const notes: [string, SessionNote][] = [];
    let epoch = 4;
    return { notes, open: (_name, source) => Promise.resolve({ source, ...memory, epoch: (epoch += 1) }), note: (name, note) => void notes.push([name, note]) };
  };

  it('goes on with what a store remembers: epoch, source, ends, requests [E-074, E-132, T-012, T-234]', async () => {
    const { emitter, events } = collect({ epochs: store({ source: 'aep://old/agent/agent/session/s', closedRuns: ['r0'], requests: [{ id: 'q', kind: 'input' }] }) });
    const session = await emitter.session('s');
    expect(refusal(() => session.emit('run.finished', { run: 'r0' }))).toBe('second-terminal');
    session.end();
    const all = await events();
    expect(all.map(({ type, subject, epoch, seq, source }) => [type, subject, epoch, seq, source])).toEqual([
      ['attention.resolved', 'q', 5, 0, 'aep://old/agent/agent/session/s'],
      ['session.ended', undefined, 5, 1, 'aep://old/agent/agent/session/s'],
    ]);
    const over = await collect({ epochs: store({ ended: true }) }).emitter.session('s');
    expect([over.ended, refusal(() => over.end()), refusal(() => over.emit('progress.status'))]).toEqual([true, 'second-terminal', 'session-ended']);
  });

  it('tells a store every end and request before the Event leaves, without content [T-234]', async () => {
    const epochs = store();
    const { emitter, transport } = collect({ epochs });
    const session = await emitter.session('s');
    session.emit('run.started', { run: 'r' });
    session.emit('run.finished', { run: 'r' });
    const id = session.emit('attention.requested', { subject: 'Bash', data: { kind: 'form', prompt: 'secret', fields: [{ id: 'f', type: 'string', label: 'secret' }] } });
    session.end();
    expect(transport.events).toEqual([]);
    expect(epochs.notes).toEqual([
      ['s', { type: 'run-closed', run: 'r' }],
      ['s', { type: 'requested', request: { id, kind: 'form', subject: 'Bash', fields: [{ id: 'f', type: 'string', label: 'f' }] } }],
      ['s', { type: 'settled', id }],
      ['s', { type: 'ended' }],
    ]);
  });

  it('goes on with its history where no store remembers it [E-132, T-234]', async () => {
    const first = collect({ epochs: 'clock', host: 'old' });
    const before = await first.emitter.session('s');
    before.emit('run.finished', { run: 'r' });
    const request = before.emit('attention.requested', { data: { kind: 'input', prompt: 'p' } });
    const history = await first.events();
    const { emitter, events } = collect({ epochs: 'clock', host: 'new' });
    const session = await emitter.session('s', { history });
    expect(refusal(() => session.emit('run.failed', { run: 'r', data: { reason: 'error' } }))).toBe('second-terminal');
    session.end();
    const after = await events();
    expect(after.map(({ subject }) => subject)).toEqual([request, undefined]);
    expect(faults([...history, ...after])).toEqual([]);
    expect(new Set([...history, ...after].map(({ source }) => source)).size).toBe(1);
  });

  it('is refused an epoch that its history used [E-075]', async () => {
    const epochs: EpochStore = { open: () => Promise.resolve({ epoch: 3 }) };
    const base = { aep: '0.1', id: 'i', type: 'progress.status', time: '2026-01-01T00:00:00Z', source: 'aep://h', agent: 'a', session: 's', seq: 0 } as const;
    for (const [used, fine] of [[2, true], [3, false], [4, false]] as const) {
      const opening = collect({ epochs }).emitter.session('s', { history: [{ ...base, epoch: used }] });
      if (fine) await opening;
      else await expect(opening).rejects.toMatchObject({ code: 'invalid-epoch' });
    }
    for (const epoch of [-1, 1.5, Number.NaN, 2 ** 53]) {
      await expect(collect({ epochs: { open: () => Promise.resolve({ epoch }) } }).emitter.session('s')).rejects.toMatchObject({ code: 'invalid-epoch' });
    }
  });

  it('goes on when a store cannot take a note', async () => {
    const troubles: unknown[] = [];
    const epochs: EpochStore = { open: () => Promise.resolve({ epoch: 1 }), note: () => { throw new Error('disk full'); } };
    const { emitter, events } = collect({ epochs, onTrouble: (trouble) => { troubles.push(trouble); throw new Error('hook'); } });
    (await emitter.session('s')).end();
    expect(await events()).toHaveLength(1);
    expect(troubles).toMatchObject([{ type: 'memory' }]);
  });

  it('gives its attributes to every Event that has none of its own [E-048]', async () => {
    const { emitter, events } = collect();
    const session = await emitter.session(undefined, { extensions: { acmeteam: 'x', acmeprio: 1 }, traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00` });
    session.emit('progress.status', { extensions: { acmeprio: 2 } });
    expect((await events())[0]).toMatchObject({ acmeteam: 'x', acmeprio: 2, traceparent: expect.stringMatching(/-00$/) });
  });
});

describe('an extension attribute', () => {
  const bad: readonly [string, unknown][] = [
    ['named like a core attribute', { source: 'aep://evil' }],
    ['named data', { data: 'x' }],
    ['named seq', { seq: 7 }],
    ['without a name', { '': 1 }],
    ['with a long name', { ['a'.repeat(21)]: 1 }],
    ['with a capital', { vendorId: 1 }],
    ['with an underscore', { vendor_id: 1 }],
    ['named __proto__', JSON.parse('{"__proto__":1}')],
    ['that is an object', { acme: {} }],
    ['that is an array', { acme: [] }],
    ['that is null', { acme: null }],
    ['that is a fraction', { acme: 1.5 }],
    ['that is no number', { acme: Number.NaN }],
    ['that is undefined', { acme: undefined }],
    ['with half of a character', { acme: '\ud800' }],
    ['that counts drops', { aepkitdrops: 0 }],
    ['in no object', 'acme=1'],
    ['in an array', [1]],
    ['in null', null],
  ];

  it.each(bad)('%s is refused, and nothing is sent [E-049, E-050, E-052, E-053, E-054, E-055, E-056]', async (_name, extensions) => {
    const { emitter, events } = collect();
    const session = await emitter.session();
    expect(refusal(() => emitAny(session, 'progress.status', { extensions }))).toBe('invalid-extension');
    expect(refusal(() => emitter.emitAgent('agent.idle', { extensions: extensions as never }))).toBe('invalid-extension');
    await expect(emitter.session(undefined, { extensions: extensions as never })).rejects.toMatchObject({ code: 'invalid-extension' });
    expect(await events()).toEqual([]);
  });

  it('may be an integer beyond what a number holds', async () => {
    const { emitter, transport } = collect();
    const session = await emitter.session();
    session.emit('progress.status', { extensions: { acmebig: 2n ** 70n } });
    await emitter.flush();
    expect(transport.events[0]!.json).toContain('"acmebig":1180591620717411303424');
    expect(transport.events[0]!.event.acmebig).toBe(2n ** 70n);
  });

  it('is sent as it is where it is legal [E-048, E-049, E-052]', async () => {
    const { emitter, events } = collect();
    const session = await emitter.session();
    session.emit('progress.status', { extensions: { acmeid: '', ['a'.repeat(20)]: 2 ** 53 - 1, acmeok: true, acme0: -3 } });
    expect((await events())[0]).toMatchObject({ acmeid: '', ['a'.repeat(20)]: 2 ** 53 - 1, acmeok: true, acme0: -3 });
  });

  it('of the emitter itself begins with its name [E-051]', async () => {
    const { emitter, transport } = collect({ maxQueuedEvents: 2 });
    const session = await emitter.session();
    for (let count = 0; count < 4; count += 1) session.emit('progress.status');
    await emitter.flush();
    const names = transport.events.flatMap(({ event }) => Object.keys(event)).filter((name) => !['aep', 'id', 'type', 'time', 'source', 'agent', 'session', 'seq'].includes(name));
    expect(names).not.toEqual([]);
    for (const name of names) expect(name).toMatch(/^aepkit[a-z0-9]{1,14}$/);
  });
});

describe('an agent', () => {
  it('emits without session, run, step and position [E-036, E-018]', async () => {
    const { emitter, events } = collect();
    emitter.emitAgent('agent.presence', { subject: 'node-1', data: { state: 'online' } });
    emitter.emitAgent('agent.idle');
    const all = await events();
    expect(all.map(({ type, source, agent, session, seq }) => [type, source, agent, session, seq])).toEqual([
      ['agent.presence', 'aep://host/agent/agent', 'agent', undefined, undefined],
      ['agent.idle', 'aep://host/agent/agent', 'agent', undefined, undefined],
    ]);
    expect(refusal(() => emitter.emitAgent('agent.idle', { run: 'r' } as object))).toBe('invalid-attribute');
    expect(refusal(() => emitter.emitAgent('progress.status' as 'agent.idle'))).toBe('wrong-scope');
  });
});

describe('a label', () => {
  it('says the level that is honoured', async () => {
    const { emitter, events } = collect({ ceiling: 'full' });
    const session = await emitter.session();
    session.emit('run.started', { run: 'r', data: { trigger: 'user' } });
    session.emit('run.started', { run: 'r', data: { prompt: 'x' } });
    session.emit('run.started', { run: 'r', capture: 'metadata', data: { prompt: 'x' } });
    session.emit('run.started', { run: 'r', capture: 'none', data: { prompt: 'x' } });
    expect((await events()).map((event) => [captureOf(event), event.data])).toEqual([
      ['metadata', { trigger: 'user' }],
      ['full', { prompt: 'x' }],
      ['metadata', {}],
      ['none', undefined],
    ]);
  });
});

function ids(): () => string {
  let count = 0;
  return () => `id-${(count += 1)}`;
}
