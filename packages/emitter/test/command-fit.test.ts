import { readdir, readFile } from 'node:fs/promises';

import type { JsonObject, WireEvent } from '@aepkit/envelope';
import { tempDir, turn } from '@aepkit/testkit';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

import { fileEpochs } from '../src/epoch-file.js';
import type { CheckedAnswer, CommandHandler, EmitterErrorCode } from '../src/index.js';
import { acks, target, type Target } from './command-target.js';
import { faults, refusal } from './support.js';

const PERMISSION = {
  kind: 'permission',
  prompt: 'Go on?',
  options: [
    { id: 'allow', label: 'Yes, go on' },
    { id: 'deny', label: 'No' },
    { id: 'once', label: 'Later' },
    { id: 'never', label: 'Later' },
  ],
} as const;
const FORM = {
  kind: 'form',
  prompt: 'Deploy?',
  fields: [
    { id: 'where', type: 'select', label: 'Where', required: true, choices: [{ id: 'eu', label: 'Europe' }, { id: 'us', label: 'America' }] },
    { id: 'tags', type: 'select', label: 'Tags', multi: true, choices: [{ id: 'a', label: 'A' }, { id: 'b', label: 'B' }] },
    { id: 'note', type: 'string', label: 'Note' },
    { id: 'count', type: 'number', label: 'Count', min: 1 },
    { id: 'other', type: 'select', label: 'Other', multi: true, other: true, choices: [{ id: 'x', label: 'X' }] },
  ],
} as const;

/** Takes every answer, and settles its request. */
const settling = (): ReturnType<typeof vi.fn<CommandHandler>> => vi.fn<CommandHandler>(() => ({ type: 'accepted', execute: (session) => session.settle() }));

function respond({ command }: Target, subject: string, answer: JsonObject, id = 'c1'): WireEvent {
  return command({ type: 'control.attention.respond', id, subject, cause: subject, capture: 'full', data: { answer } });
}

const results = (it: Target): unknown[] => acks(it.events()).map(({ type, data }) => data?.reason ?? type);

describe('an answer that does not fit its request', () => {
  it.each([
    ['a required field is missing [T-100]', { values: { count: 3 } }],
    ['none of its fields is answered [T-100]', { values: {} }],
    ['a required field is inherited [T-100]', { values: JSON.parse('{"__proto__":{"where":"eu"}}') as JsonObject }],
    ['a closed select has something else than a choice [T-101]', { values: { where: 'mars' } }],
    ['a closed select has the label of a choice [T-101]', { values: { where: 'Europe' } }],
    ['a closed select has no text [T-101]', { values: { where: 7 } }],
    ['one of several is no choice [T-102]', { values: { where: 'eu', tags: ['a', 'c'] } }],
    ['one of several is no text [T-102]', { values: { where: 'eu', tags: ['a', {}] } }],
    ['a number is out of its range', { values: { where: 'eu', count: 0 } }],
    ['it is text', { text: 'eu' }],
  ])('is answered invalid without a question to the program, and a better one is taken: %s [T-106, C-014]', async (_, answer) => {
    const decide = settling();
    const it = await target(decide);
    const subject = it.session.emit('attention.requested', { data: FORM });
    await it.deliver(respond(it, subject, answer));
    expect(it.events().at(-1)).toMatchObject({ type: 'control.rejected', cause: 'c1', data: { reason: 'invalid' } });
    expect([decide.mock.calls.length, it.session.openRequests]).toEqual([0, [subject]]);
    await it.deliver(respond(it, subject, { values: { where: 'us' } }, 'c2'));
    expect(results(it)).toEqual(['invalid', 'control.accepted']);
    expect(it.session.openRequests).toEqual([]);
  });

  it.each(['yes', '', ' ', 'allow it', 'do not allow', 'later'])('permits nothing: text %j on a permission request [T-112, T-115, T-116]', async (text) => {
    const decide = settling();
    const it = await target(decide, { ceiling: 'full' });
    const subject = it.session.emit('attention.requested', { data: PERMISSION });
    await it.deliver(respond(it, subject, { text }));
    expect([results(it), decide.mock.calls.length, it.session.openRequests]).toEqual([['invalid'], 0, [subject]]);
  });

  it('permits nothing, whatever the text [T-115]', async () => {
    const it = await target((_command, _session, given) => ({ type: 'accepted', execute: () => void applied.push(given?.answer) }), { ceiling: 'full' });
    const applied: unknown[] = [];
    const subject = it.session.emit('attention.requested', { data: PERMISSION });
    const words = ['allow', 'yes, go on', 'deny', 'no', 'once', 'never'];
    const text = fc.oneof(fc.string(), fc.constantFrom(...words).chain((word) => fc.constantFrom(`${word}.`, `not ${word}`, ` ${word.toUpperCase()}`)));
    let count = 0;
    await fc.assert(
      fc.asyncProperty(text, async (given) => {
        const before = applied.length;
        await it.deliver(respond(it, subject, { text: given }, `c${String((count += 1))}`));
        expect(applied.length).toBe(words.includes(given.trim().toLowerCase()) ? before + 1 : before);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['an option that was not offered', { option: 'Allow' }],
    ['fields of no form', { values: { where: 'eu' } }],
  ])('is answered invalid: %s', async (_, answer) => {
    const decide = settling();
    const it = await target(decide);
    await it.deliver(respond(it, it.session.emit('attention.requested', { data: PERMISSION }), answer));
    expect([results(it), decide.mock.calls.length]).toEqual([['invalid'], 0]);
  });

  it('is answered invalid where no such request is open: unknown, closed, or of another session', async () => {
    const decide = settling();
    const it = await target(decide);
    const closed = it.session.emit('attention.requested', { data: PERMISSION });
    it.session.emit('attention.timeout', { subject: closed });
    const other = await it.emitter.session();
    const elsewhere = other.emit('attention.requested', { data: PERMISSION });
    const subjects = ['unknown', closed, elsewhere, '__proto__'];
    await it.deliver(...subjects.map((subject, index) => respond(it, subject, { option: 'allow' }, `c${String(index)}`)));
    expect(results(it)).toEqual(subjects.map(() => 'invalid'));
    expect([decide.mock.calls.length, other.openRequests]).toEqual([0, [elsewhere]]);
  });
});

describe('an answer that fits', () => {
  it.each([
    [' ALLOW\n', { option: 'allow' }],
    ['yes, GO on', { option: 'allow' }],
    ['No', { option: 'deny' }],
  ])('comes to the program as what takes effect, and so it is recorded: text %j [T-110, T-111, T-114]', async (text, answer) => {
    const seen: (CheckedAnswer | undefined)[] = [];
    const it = await target(
      (_command, _session, given) => {
        seen.push(given);
        return { type: 'accepted', execute: (session) => session.settle() };
      },
      { ceiling: 'full' },
    );
    it.session.emit('run.started', { run: 'r' });
    const subject = it.session.emit('attention.requested', { subject: 'Bash', run: 'r', data: PERMISSION });
    await it.deliver(respond(it, subject, { text }));
    expect(seen).toEqual([{ request: { id: subject, kind: 'permission', subject: 'Bash', run: 'r', options: PERMISSION.options }, answer }]);
    expect(it.events().find(({ type }) => type === 'attention.answered')?.data).toEqual({ answer, via: 'control', by: 'human' });
  });

  it('beside an option keeps its text, and is not mapped by it [T-113]', async () => {
    const it = await target(settling(), { ceiling: 'full' });
    await it.deliver(respond(it, it.session.emit('attention.requested', { data: PERMISSION }), { option: 'deny', text: 'allow' }));
    expect(it.events().find(({ type }) => type === 'attention.answered')?.data).toMatchObject({ answer: { option: 'deny', text: 'allow' } });
  });

  it('is settled by one call: answered, then resolved, linked by subject and cause, with the run of the request [C-051, C-058, C-060]', async () => {
    const it = await target(settling());
    it.session.emit('run.started', { run: 'r' });
    const subject = it.session.emit('attention.requested', { run: 'r', data: PERMISSION });
    const asked = respond(it, subject, { option: 'allow' });
    await it.deliver(asked);
    const events = it.events();
    const [answered, resolved] = events.slice(-2);
    expect([answered, resolved].map((event) => [event?.type, event?.subject, event?.run, event?.cause, event?.data])).toEqual([
      ['attention.answered', subject, 'r', 'c1', { answer: { option: 'allow' }, via: 'control', by: 'human' }],
      ['attention.resolved', subject, 'r', answered?.id, { resolution: 'answered' }],
    ]);
    expect(faults([...events.slice(0, 2), asked.event, ...events.slice(2)])).toEqual([]);
  });

  it.each([
    ['metadata', { answer: { values: { where: 'eu' } }, via: 'control', by: 'human' }],
    ['full', { answer: { values: { where: 'eu', note: 'secret' } }, via: 'control', by: 'human' }],
    ['none', undefined],
  ] as const)('is recorded under a ceiling of %s', async (ceiling, data) => {
    const it = await target(settling(), { ceiling });
    await it.deliver(respond(it, it.session.emit('attention.requested', { data: FORM }), { values: { where: 'eu', note: 'secret', stray: 1 } }));
    expect(results(it)[0]).toBe('control.accepted');
    expect(it.events().find(({ type }) => type === 'attention.answered')?.data).toEqual(data);
    expect(it.session.openRequests).toEqual([]);
  });

  it('is held against the labels that were shown: a word that nobody has seen names nothing', async () => {
    for (const [ceiling, result] of [['full', 'control.accepted'], ['metadata', 'invalid']] as const) {
      const it = await target(settling(), { ceiling });
      await it.deliver(respond(it, it.session.emit('attention.requested', { data: PERMISSION }), { text: 'yes, go on' }));
      expect(results(it)).toEqual([result]);
    }
  });

  it('never fails when it is recorded: what control lets through, a stream takes', async () => {
    const value = fc.constantFrom<unknown>('eu', 'us', 'a', 'x', '', 1, 2, true, ['a'], ['a', 'b'], [], ['x', 'free'], { a: 1 });
    const values = fc.dictionary(fc.constantFrom('where', 'tags', 'note', 'count', 'other', 'stray'), value).map((given) => ({ where: 'eu', ...given }));
    await fc.assert(
      fc.asyncProperty(values, fc.constantFrom('full', 'metadata'), async (given, ceiling) => {
        const it = await target(settling(), { ceiling });
        const subject = it.session.emit('attention.requested', { data: FORM });
        const asked = respond(it, subject, { values: given });
        await it.deliver(asked);
        expect(it.troubles).toEqual([]);
        const taken = results(it)[0] === 'control.accepted';
        expect(it.session.openRequests).toEqual(taken ? [] : [subject]);
        expect(faults([it.events()[0]!, asked.event, ...it.events().slice(1)]).filter(({ code }) => code !== 'open-attention')).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('is not there for other commands, which settle nothing', async () => {
    const codes: EmitterErrorCode[] = [];
    const decide = vi.fn<CommandHandler>(() => ({ type: 'accepted', execute: (session) => void codes.push(refusal(() => session.settle())) }));
    const it = await target(decide);
    await it.deliver(it.command());
    expect([decide.mock.calls[0]?.[2], codes]).toEqual([undefined, ['unknown-request']]);
  });
});

describe('two answers to one request', () => {
  it('have one effect: the later one is invalid, also where its decision was begun before', async () => {
    const waiting: ((decision: Awaited<ReturnType<CommandHandler>>) => void)[] = [];
    const executed: string[] = [];
    const it = await target(() => new Promise((resolve) => waiting.push(resolve)));
    const subject = it.session.emit('attention.requested', { data: PERMISSION });
    await it.deliver(respond(it, subject, { option: 'allow' }, 'c1'), respond(it, subject, { option: 'deny' }, 'c2'));
    expect(waiting).toHaveLength(2);
    for (const name of ['second', 'first']) {
      waiting.pop()!({
        type: 'accepted',
        execute: (session) => {
          executed.push(name);
          session.settle();
        },
      });
    }
    await it.deliver();
    expect(executed).toEqual(['second']);
    expect(new Map(acks(it.events()).map(({ cause, data }) => [cause, data?.reason]))).toEqual(new Map([['c2', undefined], ['c1', 'invalid']]));
    expect(it.troubles).toEqual([]);
  });

  it('have one effect: the later one is busy while the first is being applied, and taken when that fails', async () => {
    const { promise, reject } = Promise.withResolvers<undefined>();
    const work = [() => promise, () => undefined];
    const it = await target(() => ({
      type: 'accepted',
      execute: async (session) => {
        await work.shift()?.();
        session.settle();
      },
    }));
    const subject = it.session.emit('attention.requested', { data: PERMISSION });
    await it.deliver(respond(it, subject, { option: 'allow' }, 'c1'));
    await it.deliver(respond(it, subject, { option: 'deny' }, 'c2'));
    reject(new Error('half way'));
    await turn();
    await it.deliver(respond(it, subject, { option: 'deny' }, 'c3'));
    expect(results(it)).toEqual(['control.accepted', 'busy', 'control.accepted']);
    expect(it.troubles).toEqual([{ type: 'command', error: new Error('half way') }]);
    expect(it.events().find(({ type }) => type === 'attention.answered')?.data).toMatchObject({ answer: { option: 'deny' } });
  });
});

describe('a cancel', () => {
  const cancel = (it: Target, run: string | undefined, id: string, scope = 'run'): WireEvent => it.command({ type: 'control.cancel', id, data: { scope }, ...(run === undefined ? {} : { run }) });

  it('of a run that is over, or was never named, is invalid; the scope decides', async () => {
    const decide = vi.fn<CommandHandler>(() => ({ type: 'accepted' }));
    const it = await target(decide);
    it.session.emit('run.started', { run: 'open' });
    it.session.emit('progress.status', { run: 'named' });
    it.session.emit('run.started', { run: 'over' });
    it.session.emit('run.finished', { run: 'over' });
    await it.deliver(cancel(it, 'unknown', 'c1'), cancel(it, 'over', 'c2'), cancel(it, 'open', 'c3'), cancel(it, 'named', 'c4'), cancel(it, 'unknown', 'c5', 'session'));
    expect(results(it)).toEqual(['invalid', 'invalid', 'control.accepted', 'control.accepted', 'control.accepted']);
    expect(decide.mock.calls.map(([{ id }]) => id)).toEqual(['c3', 'c4', 'c5']);
  });

  it('of a run that ends while it is decided is invalid', async () => {
    const { promise, resolve } = Promise.withResolvers<{ type: 'accepted' }>();
    const it = await target(() => promise);
    it.session.emit('run.started', { run: 'r' });
    await it.deliver(cancel(it, 'r', 'c1'));
    it.session.emit('run.finished', { run: 'r' });
    resolve({ type: 'accepted' });
    await it.deliver();
    expect(results(it)).toEqual(['invalid']);
  });

  it('of a run that may only have been forgotten is for the program to decide', async () => {
    const decide = (): { type: 'accepted' } => ({ type: 'accepted' });
    const small = await target(decide, { maxUnits: 1 });
    for (const run of ['r1', 'r2']) small.session.emit('run.started', { run });
    await small.deliver(cancel(small, 'r1', 'c1'));
    expect(results(small)).toEqual(['control.accepted']);
    const named = await target(decide, { epochs: 'clock' }, 'a-session-from-before');
    await named.deliver(cancel(named, 'r1', 'c1'));
    expect(results(named)).toEqual(['control.accepted']);
  });
});

describe('what is remembered of open requests', () => {
  it('lets answers be checked after a restart, by ids, and holds no label at rest', async () => {
    await using dir = await tempDir();
    const epochs = (): ReturnType<typeof fileEpochs> => fileEpochs({ path: dir.file('epochs') });
    const before = await target(settling(), { epochs: epochs(), ceiling: 'full' }, 's');
    const asked = before.session.emit('attention.requested', { run: 'r', data: PERMISSION });
    const form = before.session.emit('attention.requested', { data: FORM });
    await before.emitter.close();
    const files = await readdir(dir.file('epochs/sessions'));
    const kept = await Promise.all(files.map((name) => readFile(dir.file(`epochs/sessions/${name}`), 'utf8')));
    expect([kept.join('').includes('"once"'), /Later|Europe|Go on/i.test(kept.join(''))]).toEqual([true, false]);
    const it = await target(settling(), { epochs: epochs(), ceiling: 'full' }, 's');
    expect(it.session.openRequests).toEqual([asked, form]);
    await it.deliver(
      respond(it, asked, { text: 'Yes, go on' }, 'c1'),
      respond(it, asked, { option: 'maybe' }, 'c2'),
      respond(it, form, { values: { where: 'mars' } }, 'c3'),
      respond(it, form, { values: {} }, 'c4'),
      respond(it, asked, { text: 'Allow' }, 'c5'),
      respond(it, form, { values: { where: 'eu' } }, 'c6'),
    );
    expect(results(it)).toEqual(['invalid', 'invalid', 'invalid', 'invalid', 'control.accepted', 'control.accepted']);
    expect(it.events().find(({ type }) => type === 'attention.resolved')).toMatchObject({ subject: asked, run: 'r' });
  });

  it('is bounded, and room comes back when one is closed', async () => {
    const it = await target(settling(), { maxRequestUnits: 200 });
    const first = it.session.emit('attention.requested', { data: PERMISSION });
    expect(refusal(() => it.session.emit('attention.requested', { data: PERMISSION }))).toBe('too-many-requests');
    it.session.emit('attention.requested', { data: { kind: 'input', prompt: 'p'.repeat(1_000) } });
    it.session.emit('attention.timeout', { subject: first });
    expect(it.session.openRequests).toHaveLength(1);
    it.session.emit('attention.requested', { data: PERMISSION });
    expect(it.session.openRequests).toHaveLength(2);
  });
});
