import { StreamValidator, validatePayload } from '@aepkit/taxonomy';
import { describe, expect, it } from 'vitest';

import { feeder, testAdapter, types } from './support.js';

const UNFINISHED = 'x.testy.tool.unfinished';

describe('a call of a tool that never ends', () => {
  it.each([
    ['the next run begins', 'Prompt', ['attention.resolved', UNFINISHED, 'run.cancelled', 'run.started']],
    ['the run is cancelled', 'Stopped', ['attention.resolved', UNFINISHED, 'run.cancelled']],
    ['the session ends', 'End', ['attention.resolved', UNFINISHED, 'run.cancelled', 'session.ended']],
  ])('is marked when %s: inferred, and no claim how it ended [T-020]', (_, hook, expected) => {
    const feed = feeder();
    feed('Prompt', { turn: 'r1' });
    const [tool] = feed('Tool', { tool: 'T', id: 'c1' });
    feed('Ask', { tool: 'T', id: 'c1' });
    const events = feed(hook);
    expect(types(events)).toEqual(expected);
    expect(events[1]).toMatchObject({ cause: tool?.id, run: 'r1', subject: 'T', capture: 'metadata', data: { tool: { name: 'T', call_id: 'c1' }, inferred: true } });
  });

  it('is marked at the end of its round, once', () => {
    const feed = feeder();
    feed('Tool', { tool: 'T', id: 'c1' });
    feed('Tool', { tool: 'T', id: 'c2' });
    feed('ToolDone', { tool: 'T', id: 'c2' });
    expect(feed('Round', { ids: ['c1', 'c2'] }).map(({ type, data }) => [type, data])).toEqual([[UNFINISHED, { tool: { name: 'T', call_id: 'c1' }, inferred: true }]]);
    expect(feed('Round', { ids: ['c1', 'c2'] })).toEqual([]);
    expect(types(feed('End'))).toEqual(['session.ended']);
  });

  it('is closed by an end that comes late all the same', () => {
    const feed = feeder();
    feed('Prompt', { turn: 'r1' });
    const [tool] = feed('Tool', { tool: 'T', id: 'c1' });
    feed('Prompt', { turn: 'r2' });
    expect(feed('ToolDone', { tool: 'T', id: 'c1' })[0]).toMatchObject({ type: 'tool.completed', cause: tool?.id, run: 'r1' });
    expect(types(feed('End'))).toEqual(['run.cancelled', 'session.ended']);
  });

  it('is not marked again after a restart', async () => {
    const events = [...feeder()('Tool', { tool: 'T', id: 'c1' })];
    const first = testAdapter();
    await first.restore('s', events);
    events.push(...feeder(first)('Prompt'));
    expect(types(events)).toContain(UNFINISHED);
    const second = testAdapter();
    expect(second.stateTypes).toContain(UNFINISHED);
    await second.restore('s', events);
    expect(types(feeder(second)('End'))).toEqual(['run.cancelled', 'session.ended']);
  });

  it('stays pending when a run ends well: another call of the session may still run', () => {
    const feed = feeder();
    feed('Prompt');
    feed('Tool', { tool: 'T', id: 'c1' });
    expect(types(feed('Done'))).toEqual(['run.finished']);
    expect(types(feed('ToolDone', { tool: 'T', id: 'c1' }))).toEqual(['tool.completed']);
  });
});

describe('ends', () => {
  it('come once, however often their hooks do [T-235, T-021]', () => {
    const feed = feeder();
    feed('Prompt');
    expect(types(feed('Failed', { error: 'limit' }))).toEqual(['run.failed']);
    for (const hook of ['Failed', 'Done', 'Stopped']) expect(feed(hook)).toEqual([]);
    expect(types(feed('End'))).toEqual(['session.ended']);
    for (const hook of ['End', 'End']) expect(feed(hook)).toEqual([]);
  });
});

describe('requests', () => {
  it('about a call are answered by its end, denied ones closed', () => {
    const feed = feeder();
    const [tool] = feed('Tool', { tool: 'T', input: 1 });
    const [asked] = feed('Ask', { tool: 'T', input: 1 });
    expect(asked?.cause).toBe(tool?.id);
    expect(feed('ToolDone', { tool: 'T', input: 1 }).map(({ type, subject, data }) => [type, subject, data])).toMatchObject([
      ['attention.answered', asked?.id, { answer: { option: 'allow' }, via: 'oob' }],
      ['attention.resolved', asked?.id, { resolution: 'answered' }],
      ['tool.completed', 'T', {}],
    ]);
    feed('Tool', { tool: 'T', input: 2 });
    feed('Ask', { tool: 'T', input: 2 });
    expect(feed('ToolDenied', { tool: 'T', input: 2, rule: 'r' }).map(({ type, data }) => [type, data])).toMatchObject([
      ['attention.resolved', { resolution: 'auto' }],
      ['tool.denied', { by: 'policy', rule: 'r' }],
    ]);
  });

  it('that come ahead of their call are answered by it where no other can be meant', () => {
    const feed = feeder();
    feed('Ask', { tool: 'T', input: 1 });
    feed('Tool', { tool: 'T', id: 'c1', input: 1 });
    expect(types(feed('ToolDone', { tool: 'T', id: 'c1' }))).toEqual(['attention.answered', 'attention.resolved', 'tool.completed']);
    feed('Ask', { tool: 'T', input: 1 });
    feed('Ask', { tool: 'T', input: 2 });
    feed('Tool', { tool: 'T', id: 'c2', input: 2 });
    expect(types(feed('ToolDone', { tool: 'T', id: 'c2' }))).toEqual(['tool.completed']);
  });

  it('are silent while one of their kind is open, and give way to what says more', () => {
    const feed = feeder();
    feed('Tool', { tool: 'T' });
    expect(types(feed('Hint'))).toEqual(['attention.requested']);
    expect(feed('Hint')).toEqual([]);
    expect(types(feed('Ask', { tool: 'T' }))).toEqual(['attention.resolved', 'attention.requested']);
    expect(feed('Hint')).toEqual([]);
  });

  it('for input are answered by the next prompt', () => {
    const feed = feeder();
    expect(feed('Idle')[0]).toMatchObject({ subject: 'idle', severity: 'notice', data: { prompt: 'testy requests input: idle', respond_via: ['oob'] } });
    expect(types(feed('Prompt'))).toEqual(['attention.answered', 'attention.resolved', 'run.started']);
  });

  it('that are forms are filled in by number, flag and choice, and by words where they may show [T-107]', () => {
    const schema = { required: ['size'], properties: { size: { type: 'integer' }, color: { enum: ['red', 'green'] }, note: { type: 'string' } } };
    const values = { size: 3, color: 'green', note: 'my words', other: 1 };
    for (const [ceiling, shown, capture] of [
      ['metadata', { size: 3, color: 'green' }, 'metadata'],
      ['redacted', { size: 3, color: 'green', note: '***' }, 'redacted'],
      ['full', { size: 3, color: 'green', note: 'my words' }, 'full'],
    ] as const) {
      const feed = feeder(testAdapter({ ceiling }));
      expect(feed('Form', { form: 'f', schema })).toHaveLength(1);
      const [given] = feed('Filled', { form: 'f', ok: true, values });
      expect([given?.capture, given?.data]).toEqual([capture, { answer: { values: shown }, via: 'oob' }]);
      feed('Form', { form: 'f', schema });
      expect(feed('Filled', { form: 'f', values }).map(({ data }) => data)).toEqual([{ resolution: 'dismissed' }]);
      expect(feed('Filled', { form: 'f', ok: true, values })).toEqual([]);
    }
  });
});

it('gives a valid stream whatever comes in whatever order', () => {
  const hooks = ['Start', 'Prompt', 'Tool', 'Ask', 'Hint', 'Idle', 'ToolDone', 'ToolFailed', 'ToolDenied', 'Round', 'Done', 'Failed', 'Stopped', 'End', 'Agent', 'Two', 'Nothing', 'Unlisted'];
  let seed = 7;
  const random = (n: number): number => (seed = (seed * 48_271) % 2_147_483_647) % n;
  for (let round = 0; round < 40; round += 1) {
    const feed = feeder(testAdapter({ ceiling: (['metadata', 'redacted', 'full'] as const)[round % 3]! }));
    const validator = new StreamValidator();
    for (let step = 0; step < 40; step += 1) {
      const hook = hooks[random(hooks.length)] ?? 'Start';
      for (const event of feed(hook, { tool: `T${random(2)}`, id: random(2) === 0 ? undefined : `c${random(3)}`, ids: ['c0', 'c1'], input: random(2) })) {
        // Ids of calls come again here, which is a warning.
        expect([hook, validatePayload(event), validator.push(event).filter(({ severity }) => severity === 'error')]).toEqual([hook, [], []]);
      }
    }
    feed('End').map((event) => validator.push(event));
    expect(validator.end().filter(({ severity }) => severity === 'error')).toEqual([]);
  }
});
