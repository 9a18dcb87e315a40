import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { createEmitter, EmitterError, memoryTransport } from '../src/index.js';
import { KNOWN_NAMES } from '../src/known-names.js';
import { collect, emitAny, refusal, rejection } from './support.js';

function membersOf(file: string, name: string): string[] {
  const text = readFileSync(new URL(`../src/${file}`, import.meta.url), 'utf8');
  const body = new RegExp(`export interface ${name} [^{]*\\{([\\s\\S]*?)\\n\\}`).exec(text)![1]!;
  return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, member]) => member!);
}

function thrown(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  return expect.unreachable('it was not refused');
}

describe('names', () => {
  it('that are known are those of the types', () => {
    expect([...KNOWN_NAMES['option of createEmitter']]).toEqual(membersOf('options.ts', 'EmitterOptions'));
    expect([...KNOWN_NAMES['attribute of an emission']]).toEqual(['data', ...membersOf('emission.ts', 'EmissionAttributes')]);
    expect([...KNOWN_NAMES['option of a session']]).toEqual(['extensions', 'traceparent', ...membersOf('emitter.ts', 'SessionOptions')]);
    expect([...KNOWN_NAMES['option of flush and close']]).toEqual(membersOf('flush-outcome.ts', 'FlushOptions'));
  });

  it.each([
    ['ceilling', 'ceiling'],
    ['maxqueuedevents', 'maxQueuedEvents'],
    ['onLos', 'onLoss'],
    ['completely', undefined],
    ['x'.repeat(5000), undefined],
    ['\ud800', undefined],
  ])('of options that nobody knows are refused at once: %s', (name, meant) => {
    const error = thrown(() => createEmitter({ agent: 'a', transport: memoryTransport(), [name]: 'secret' }));
    expect(error).toBeInstanceOf(EmitterError);
    const { code, path, message } = error as EmitterError;
    expect([code, path]).toEqual(['unknown-name', `$.${name.slice(0, 100).toWellFormed()}`]);
    expect(message).toBe(`${path}: is no option of createEmitter${meant === undefined ? '' : `, did you mean ${meant}?`}`);
  });

  it('of attributes that nobody knows are refused, and no position is used', async () => {
    const { emitter, events } = collect();
    const session = await emitter.session();
    expect(thrown(() => emitAny(session, 'progress.status', { subjekt: 's' }))).toMatchObject({ code: 'unknown-name', path: '$.subjekt', message: '$.subjekt: is no attribute of an emission, did you mean subject?' });
    expect(refusal(() => emitAny(session, 'progress.status', { __proto__: null, sesion: undefined }))).toBe('unknown-name');
    // An answer to open requests belongs to the end alone.
    expect(refusal(() => emitAny(session, 'progress.status', { requests: 'timeout' }))).toBe('unknown-name');
    expect(refusal(() => session.end({ request: 'timeout' } as object))).toBe('unknown-name');
    expect(refusal(() => emitter.emitAgent('agent.idle', { serverity: 'info' } as object))).toBe('unknown-name');
    expect(await rejection(emitter.session(undefined, { extension: {} } as object))).toBe('unknown-name');
    session.end({ requests: 'timeout' });
    expect((await events()).map(({ type, seq }) => [type, seq])).toEqual([['session.ended', 0]]);
  });

  it('that are inherited are nobody\'s', async () => {
    const { emitter, events } = collect();
    emitAny(await emitter.session(), 'progress.status', Object.create({ anything: 1 }));
    expect(await events()).toHaveLength(1);
  });
});
