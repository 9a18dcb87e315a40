import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { PassThrough } from 'node:stream';

import { parseEvent } from '@aepkit/envelope';
import { tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { jsonlTransport } from '../src/jsonl.js';
import { collect } from './support.js';

describe('as JSON lines', () => {
  it('Events go into one file, a line each [B-003, B-012]', async () => {
    await using dir = await tempDir();
    const { emitter } = collect({ transport: jsonlTransport({ path: dir.file('log.jsonl') }) });
    const session = await emitter.session();
    for (const phase of ['a', 'line\nbreak', 'c']) session.emit('progress.status', { data: { phase } });
    expect(await emitter.close()).toMatchObject({ done: true });
    const text = await readFile(dir.file('log.jsonl'), 'utf8');
    expect(text.endsWith('\n')).toBe(true);
    expect(text.trimEnd().split('\n').map((line) => parseEvent(line).event.data!.phase)).toEqual(['a', 'line\nbreak', 'c']);
  });

  it('Events go into the log of their session [B-015]', async () => {
    await using dir = await tempDir();
    const { emitter } = collect({ transport: jsonlTransport({ root: dir.path }), epochs: 'clock' });
    (await emitter.session('one')).emit('progress.status');
    (await emitter.session('two')).emit('progress.status');
    await emitter.close();
    for (const name of ['one', 'two']) expect(parseEvent((await readFile(dir.file('agent', `${name}.jsonl`), 'utf8')).trim()).event.session).toBe(name);
  });

  it('Events go to a stream such as standard output [B-003]', async () => {
    const output = new PassThrough();
    const { emitter } = collect({ transport: jsonlTransport({ output }) });
    (await emitter.session()).emit('progress.status');
    await emitter.close();
    output.end();
    expect(parseEvent((await output.setEncoding('utf8').toArray()).join('').trim()).event.type).toBe('progress.status');
  });

  it('what cannot be written waits until it can', async () => {
    await using dir = await tempDir();
    await mkdir(dir.file('log.jsonl'));
    const { emitter } = collect({ transport: jsonlTransport({ path: dir.file('log.jsonl') }), retryBaseMs: 1, retryMaxMs: 1 });
    const session = await emitter.session();
    session.emit('progress.status', { severity: 'error' });
    expect(await emitter.flush({ timeoutMs: 30 })).toMatchObject({ done: false, left: 1, lost: 0 });
    await rmdir(dir.file('log.jsonl'));
    expect(await emitter.flush()).toMatchObject({ done: true, lost: 0 });
    expect((await readFile(dir.file('log.jsonl'), 'utf8')).split('\n')).toHaveLength(2);
    await emitter.close();
  });

  it('an Event that no line can hold is lost alone', async () => {
    await using dir = await tempDir();
    const { emitter } = collect({ transport: jsonlTransport({ path: dir.file('log.jsonl'), maxLineBytes: 600 }) });
    const session = await emitter.session();
    for (const phase of ['a', 'x'.repeat(1000), 'b']) session.emit('progress.status', { data: { phase } });
    expect(await emitter.flush()).toMatchObject({ done: true, lost: 1 });
    expect((await readFile(dir.file('log.jsonl'), 'utf8')).match(/"phase":"(a|b)"/g)).toHaveLength(2);
    await emitter.close();
  });

  it('one log that cannot be written does not spoil the order of another', async () => {
    await using dir = await tempDir();
    await mkdir(dir.file('agent'));
    await writeFile(dir.file('agent', 'bad.jsonl'), '');
    await mkdir(dir.file('agent', 'stuck.jsonl'));
    const { emitter } = collect({ transport: jsonlTransport({ root: dir.path }), epochs: 'clock', retryBaseMs: 1, retryMaxMs: 1 });
    const [stuck, fine] = [await emitter.session('stuck'), await emitter.session('fine')];
    fine.emit('progress.status');
    stuck.emit('progress.status');
    fine.emit('progress.status');
    await emitter.flush({ timeoutMs: 30 });
    await rmdir(dir.file('agent', 'stuck.jsonl'));
    expect(await emitter.flush()).toMatchObject({ done: true, lost: 0 });
    await emitter.close();
    const seqs = (await readFile(dir.file('agent', 'fine.jsonl'), 'utf8')).trim().split('\n').map((line) => parseEvent(line).event.seq!);
    // Repeats are redeliveries; first copies are in order.
    expect([...new Set(seqs)]).toEqual([0, 1]);
  });

  it('options that cannot be used are refused at once', () => {
    expect(() => jsonlTransport({ path: '' })).toThrow(TypeError);
    expect(() => jsonlTransport({ path: 'x', maxLineBytes: 0 })).toThrow(RangeError);
  });
});
