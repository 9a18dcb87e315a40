import { parseEvent } from '@aepkit/envelope';
import { describe, expect, it } from 'vitest';

import { AdapterError, type AdapterOptions, defineAdapter, isExpendable, mayBeSilent, sessionStarted } from '../src/index.js';
import { definition, feeder, stars, testAdapter, types } from './support.js';

const KEY = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const call = (hook_event_name: string, members: object = {}): object => ({ session_id: 's', hook_event_name, ...members });
const copy = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('levels', () => {
  const tool = call('Tool', { tool: 'T', input: { command: 'secret' } });

  it.each([
    ['none', undefined],
    ['metadata', { tool: { name: 'T' }, args_digest: '0a0f2ac2e6ee4f4a5e2b8f0d2e9d5d2c' }],
    ['redacted', { tool: { name: 'T' }, args_digest: '0a0f2ac2e6ee4f4a5e2b8f0d2e9d5d2c', args_redacted: { command: '***' } }],
    ['full', { tool: { name: 'T' }, args_digest: '0a0f2ac2e6ee4f4a5e2b8f0d2e9d5d2c', args: { command: 'secret' } }],
  ] as const)('%s shows what belongs to it, and says so [B-185, B-191]', (ceiling, data) => {
    const event = testAdapter({ ceiling }).handle(tool)[0]?.event;
    const digest = event?.data?.args_digest;
    expect(event?.capture).toBe(ceiling);
    if (ceiling !== 'none') expect(digest).toMatch(/^[0-9a-f]{32}$/);
    expect(event?.data).toEqual(data === undefined ? undefined : { ...data, args_digest: digest });
  });

  it('are metadata with attention at redacted where none is given; one that is given holds for all [B-185, B-187]', () => {
    const levels = (options: Partial<AdapterOptions>): unknown[] => {
      const adapter = definition.create({ host: 'box', redactor: stars, ...options });
      return [call('Ask', { tool: 'T', prompt: 'x' }), tool].map((payload) => adapter.handle(payload)[0]?.event.capture);
    };
    expect(levels({})).toEqual(['redacted', 'metadata']);
    expect(levels({ ceiling: 'metadata' })).toEqual(['metadata', 'metadata']);
    expect(levels({ ceiling: 'none' })).toEqual(['none', 'none']);
    expect(levels({ ceilings: { tool: 'full' } })).toEqual(['redacted', 'full']);
    expect(levels({ ceilings: { attention: 'none' } })).toEqual(['none', 'metadata']);
    expect(levels({ ceiling: 'full', ceilings: { attention: 'metadata' } })).toEqual(['metadata', 'full']);
  });

  it('show no word that has the form of a secret, below full either', () => {
    const planted = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');
    const words = defineAdapter({ agent: 'w', hooks: { Start: (given) => sessionStarted({ client: 'w', model: given.token('model') }) } });
    const model = (value: string): unknown => words.create({ host: 'box' }).handle(call('Start', { model: value }))[0]?.json;
    expect(model('claude-sonnet-4-5-20250929')).toContain('claude-sonnet-4-5-20250929');
    expect(model(planted)).not.toContain(planted);
  });

  it.each([
    ['full', 'redacted', 'metadata'],
    ['full', 'metadata', 'metadata'],
    ['redacted', 'full', 'redacted'],
    ['redacted', 'metadata', 'metadata'],
    ['redacted', 'none', 'none'],
    ['metadata', 'full', 'metadata'],
    ['none', 'full', 'none'],
  ] as const)('of a record at %s, placed under %s, is %s [B-191]', (reading, placing, capture) => {
    const record = copy(testAdapter({ ceiling: reading }).read(tool));
    const [wire] = testAdapter({ ceiling: placing }).place(record);
    expect(wire?.event.capture).toBe(capture);
    if (capture !== 'redacted') expect(wire?.json).not.toContain('command');
    expect(wire?.json).not.toContain('secret');
  });

  it('of a record from elsewhere pass the pipeline of the one that places it as well', () => {
    const careless = { text: (text: string) => text, value: (value: never) => value };
    const record = copy(testAdapter({ ceiling: 'redacted', redactor: careless }).read(tool));
    expect(JSON.stringify(record)).toContain('secret');
    const [wire] = testAdapter({ ceiling: 'redacted' }).place(record);
    expect(wire?.event.data?.args_redacted).toEqual({ command: '***' });
  });

  it('are those of what place adds itself, too', () => {
    const events = ['Prompt', 'Tool', 'Ask', 'End'].flatMap((hook) => feeder(testAdapter({ ceilings: { run: 'none', tool: 'none' } }))(hook, { tool: 'T' }));
    for (const { type, capture, data } of events) expect([type, capture, data === undefined]).toEqual([type, /^(?:x\.testy\.)?(?:run|tool)\./.test(type) ? 'none' : 'metadata', /^(?:x\.testy\.)?(?:run|tool)\./.test(type)]);
  });

  it('of one call may be lower than those of the adapter, and never higher [B-191]', () => {
    const levels = (options: Partial<AdapterOptions>, ceiling: 'none' | 'metadata' | 'redacted' | 'full'): unknown[] => {
      const adapter = definition.create({ host: 'box', redactor: stars, ...options });
      const records = [call('Ask', { tool: 'T', prompt: 'x' }), tool, call('End')].map((payload) => adapter.read(payload, { ceiling }));
      return records.flatMap((record) => adapter.place(copy(record)).map(({ event }) => event.capture));
    };
    expect(levels({}, 'full')).toEqual(['redacted', 'metadata', 'metadata', 'metadata', 'metadata']);
    expect(levels({}, 'metadata')).toEqual(['metadata', 'metadata', 'metadata', 'metadata', 'metadata']);
    expect(levels({ ceiling: 'full' }, 'redacted')).toEqual(['redacted', 'redacted', 'metadata', 'metadata', 'metadata']);
    expect(levels({ ceiling: 'full', ceilings: { tool: 'metadata' } }, 'none')).toEqual(['none', 'none', 'none', 'none', 'none']);
  });

  it.each([
    [{ ceiling: 'all' }, 'ceiling'],
    [{ ceilings: { tool: 'all' } }, 'ceilings.tool'],
    [{ ceilings: { 'A b': 'none' } }, 'category'],
    [{ maxSessions: 0 }, 'maxSessions'],
    [{ maxContentBytes: -1 }, 'maxContentBytes'],
    [{ host: '' }, 'host'],
  ])('and bounds that cannot be are refused: %j', (options, named) => {
    expect(() => testAdapter(options as Partial<AdapterOptions>)).toThrow(expect.objectContaining({ name: 'RangeError', message: expect.stringContaining(named) as string }));
  });
});

describe('a call with a key', () => {
  it('gives the same Events however often it is placed, over a restart as well', () => {
    const record = testAdapter().read(call('Two'), { key: KEY });
    const ids = testAdapter().place(copy(record)).map(({ event }) => event.id);
    expect(ids).toEqual([KEY, '01ARZ3NDEKTSV4RRFFQ69G5FAW']);
    expect(testAdapter().place(copy(record))).toEqual(testAdapter().place(record));
    expect(testAdapter().identities(record)).toEqual([{ source: 'aep://box/agent/testy/session/s', id: KEY }]);
    expect(testAdapter().identities(testAdapter().read(call('Agent'), { key: KEY }))).toEqual([{ source: 'aep://box/agent/testy', id: KEY }]);
  });

  it('is refused when the key is none', () => {
    expect(() => testAdapter().read(call('Two'), { key: 'k' })).toThrow(expect.objectContaining({ code: 'invalid-key' }));
  });
});

describe('a held call', () => {
  it('is settled by Events that are minted for it, and by nothing later [T-118]', () => {
    const adapter = testAdapter();
    feeder(adapter)('Tool', { tool: 'T', id: 'c' });
    const [asked] = adapter.handle(call('Ask', { tool: 'T', id: 'c' }), { held: true });
    expect(asked?.event.data?.respond_via).toEqual(['control']);
    expect(adapter.requests('s').map(({ event }) => event)).toEqual([asked?.event.id]);
    const request = asked?.event.id ?? '';
    const made = [
      adapter.mint('s', { type: 'control.accepted', cause: 'cmd-1' }),
      adapter.mint('s', { type: 'attention.answered', subject: request, cause: 'cmd-1', data: { answer: { option: 'deny' }, via: 'control' }, text: { answer: { text: 'not now' } } }),
      adapter.mint('s', { type: 'attention.resolved', subject: request, cause: 'cmd-1', data: { resolution: 'answered' } }),
    ];
    expect(made.map(({ event }) => [event.type, event.seq, event.data])).toEqual([
      ['control.accepted', 2, undefined],
      ['attention.answered', 3, { answer: { option: 'deny' }, via: 'control' }],
      ['attention.resolved', 4, { resolution: 'answered' }],
    ]);
    for (const { json, event } of made) expect(parseEvent(json).event).toEqual(event);
    expect(adapter.requests('s')).toEqual([]);
    expect(types(feeder(adapter)('ToolDone', { tool: 'T', id: 'c' }))).toEqual(['tool.completed']);
  });

  it('has what was written redacted where it may show', () => {
    const adapter = testAdapter({ ceiling: 'redacted' });
    feeder(adapter)('Start');
    const { event } = adapter.mint('s', { type: 'attention.answered', subject: 'r', data: { answer: { option: 'deny' } }, text: { answer: { text: 'not now' } } });
    expect([event.capture, event.data]).toEqual(['redacted', { answer: { option: 'deny', text: '***' } }]);
  });

  it('belongs to a session that is held', () => {
    expect(() => testAdapter().mint('s', { type: 'control.accepted', cause: 'c' })).toThrow(expect.objectContaining({ code: 'unknown-session' }));
    expect(testAdapter().requests('s')).toEqual([]);
  });
});

describe('a definition', () => {
  it.each([
    [{ agent: 'My Agent', hooks: {} }, '$.agent'],
    [{ agent: '', hooks: {} }, '$.agent'],
    [{ agent: 'a', hooks: {}, reply: () => '' }, '$.reply'],
    [{ agent: 'a', hooks: {}, question: () => undefined }, '$.reply'],
  ])('that cannot work is refused: %j', (spec, path) => {
    expect(() => defineAdapter(spec)).toThrow(expect.objectContaining({ code: 'invalid-definition', path }));
  });

  it('may name session, hook, run and time its own way', () => {
    const adapter = defineAdapter({
      agent: 'a',
      hooks: {},
      session: (payload) => payload.thread,
      hook: (payload) => payload.type,
      run: (given) => given.token('turn'),
      time: (given) => Date.parse(given.text('at') ?? ''),
    }).create({ host: 'box', now: () => 5000 });
    const [event] = adapter.handle({ thread: 't', type: 'turn-done', turn: 'r', at: '2026-01-02T03:04:05.678Z' });
    expect(event?.event).toMatchObject({ session: 't', run: 'r', type: 'x.a.session.turn_done', time: '2026-01-02T03:04:05.678Z' });
    expect(adapter.handle({ thread: 't', type: 'x', at: 'yesterday' })[0]?.event.time).toBe('1970-01-01T00:00:05.000Z');
    expect(adapter.sessionOf({ thread: 't', type: 'x' })).toBe('t');
  });

  it('does not take what an object inherits for a hook', () => {
    expect(feeder()('constructor')[0]?.type).toBe('x.testy.session.constructor');
    expect(feeder()('__proto__')[0]?.type).toBe('x.testy.session.__proto__');
  });
});

it('places no record of another agent', () => {
  const record = { ...testAdapter().read(call('Two')), agent: 'other' };
  expect(() => testAdapter().place(record)).toThrow(expect.objectContaining({ code: 'invalid-record', path: '$.agent' }));
});

it('leaves the session as it was when an Event cannot be made', () => {
  const adapter = testAdapter();
  feeder(adapter)('Start');
  const record = copy(adapter.read(call('Two'))) as { steps: { event: { type: string } }[] };
  record.steps[1]!.event.type = 'not a type';
  expect(() => adapter.place(record)).toThrow(AdapterError);
  record.steps[1]!.event.type = 'nodots';
  expect(() => adapter.place(record)).toThrow();
  // What was given to Events that nobody has is given again.
  expect(adapter.knows('s')).toBe(false);
});

it('knows calls that are given up first, and those that may leave no Event', () => {
  const read = (hook: string): ReturnType<ReturnType<typeof testAdapter>['read']> => testAdapter().read(call(hook, { tool: 'T', ids: [] }));
  const hooks = definition.hooks.filter((hook) => hook !== 'Form' && hook !== 'Filled');
  expect(hooks.filter((hook) => isExpendable(read(hook)))).toEqual(['Tool', 'ToolDone', 'Agent', 'Note', 'Two', 'Nothing']);
  expect(hooks.filter((hook) => mayBeSilent(read(hook)))).toEqual(['Hint', 'Idle']);
});
