import type { AepEvent } from '@aepkit/envelope';
import { describe, expect, it } from 'vitest';

import { emitFromModel } from '../src/index.js';
import { collect, refusal } from './support.js';

describe('what a model emits', () => {
  it('is the same Event that the program would emit [E-108, E-109]', async () => {
    const { emitter, events } = collect();
    const session = await emitter.session();
    const inputs = [
      { type: 'progress.status', run: 'r', subject: 'build', severity: 'notice', data: { phase: 'build', percent: 40, message: 'secret' } },
      { type: 'x.acme.progress.note', data: { a: 1 } },
      { type: 'attention.requested', data: { kind: 'input', prompt: 'secret' } },
    ] as const;
    for (const input of inputs) {
      const { type, ...emission } = input;
      session.emit(type as 'progress.status', emission as object);
      emitFromModel(session, input);
    }
    const all = await events();
    const bare = ({ id, time, seq, ...rest }: AepEvent): unknown => [typeof id, typeof time, typeof seq, Object.keys(rest), rest];
    for (let at = 0; at < all.length; at += 2) expect(bare(all[at + 1]!)).toEqual(bare(all[at]!));
    expect(JSON.stringify(all)).not.toContain('secret');
  });

  it.each([
    'session.started', 'session.ended', 'run.started', 'run.finished', 'run.step.started', 'tool.requested', 'tool.completed', 'tool.denied', 'delegation.subagent.started', 'agent.presence',
    'attention.answered', 'attention.resolved', 'attention.timeout', 'control.accepted', 'control.cancel', 'x.acme.tool.foo', 'x.acme.run.foo', 'x.acme.control.stop',
  ])('is never what the program knows itself: %s [E-110]', async (type) => {
    const { emitter, events } = collect();
    const session = await emitter.session();
    expect(refusal(() => emitFromModel(session, { type, run: 'r', subject: 's', data: { tool: { name: 'A' }, scope: 'run' } }))).toBe('not-for-models');
    expect(await events()).toEqual([]);
  });

  it.each([
    [undefined, 'invalid-payload'],
    ['progress.status', 'invalid-payload'],
    [[], 'invalid-payload'],
    [{}, 'unknown-type'],
    [{ type: 5 }, 'unknown-type'],
    [{ type: 'progress.nonsense' }, 'unknown-type'],
    [{ type: 'progress.status', capture: 'full' }, 'invalid-payload'],
    [{ type: 'progress.status', cause: 'x' }, 'invalid-payload'],
    [{ type: 'progress.status', seq: 3 }, 'invalid-payload'],
    [{ type: 'progress.status', extensions: { a: 1 } }, 'invalid-payload'],
    [JSON.parse('{"type":"progress.status","__proto__":{"data":{}}}'), 'invalid-payload'],
    [{ type: 'progress.status', data: 'text' }, 'invalid-payload'],
    [{ type: 'progress.status', data: { message: 'x'.repeat(70_000) } }, 'too-large'],
    [{ type: 'progress.status', severity: 'fatal' }, 'invalid-attribute'],
    [{ type: 'progress.status', subject: 'a text of far too many words to be the name of anything at all' }, 'invalid-identifier'],
  ] as const)('is refused when it is %j', async (input, code) => {
    const { emitter, events } = collect();
    const session = await emitter.session();
    expect(refusal(() => emitFromModel(session, input))).toBe(code);
    expect(await events()).toEqual([]);
  });
});
