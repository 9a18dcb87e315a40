import { PassThrough, Writable } from 'node:stream';

import { buildSession, buildWire, launch, tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { JsonlReader } from '../src/reader.js';
import { JsonlOutput } from '../src/writer.js';
import { ids, program, systemError } from './support.js';

/** A stream that keeps its writes, and answers each when told. */
function slow(): { readonly stream: Writable; readonly writes: string[]; readonly answer: ((error?: Error) => void)[] } {
  const writes: string[] = [];
  const answer: ((error?: Error) => void)[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, callback) => {
      writes.push(chunk.toString());
      answer.push(callback);
    },
  });
  return { stream, writes, answer };
}

describe('JsonlOutput', () => {
  it('is all an emitter needs: lines of Events, a call a write [B-003, B-012, B-013]', async () => {
    const { stream, writes, answer } = slow();
    const output = new JsonlOutput(stream);
    const events = buildSession(3);
    const calls = [output.append(events.slice(0, 2)), output.append(events[2]!)];
    await output.append([]);
    answer.shift()!();
    await calls[0];
    answer.shift()!();
    await calls[1];
    expect(writes).toEqual([events.slice(0, 2).map(({ json }) => `${json}\n`).join(''), `${events[2]!.json}\n`]);
    expect(ids(new JsonlReader().push(Buffer.from(writes.join(''))))).toHaveLength(3);
  });

  it('bounds what waits in the stream', async () => {
    const { stream, answer } = slow();
    const output = new JsonlOutput(stream, { maxQueuedBytes: 10 });
    const first = output.append(buildWire());
    await expect(output.append(buildWire())).rejects.toMatchObject({ code: 'queue-full' });
    answer.shift()!();
    await first;
    await expect(new JsonlOutput(stream, { maxLineBytes: 10 }).append(buildWire())).rejects.toMatchObject({ code: 'too-large' });
  });

  it.each([
    ['EPIPE', 'broken-pipe'],
    ['ECONNRESET', 'broken-pipe'],
    ['ENOSPC', 'no-space'],
    ['EIO', 'io'],
  ])('makes %s an error with a code, for the call under way and all that follow', async (errno, code) => {
    const { stream, answer } = slow();
    const output = new JsonlOutput(stream);
    const first = output.append(buildWire());
    answer.shift()!(systemError(errno));
    await expect(first).rejects.toMatchObject({ code, errno });
    await expect(output.append(buildWire())).rejects.toMatchObject({ code });
  });

  it('knows a stream that was closed', async () => {
    const stream = new PassThrough();
    const output = new JsonlOutput(stream);
    const closed = new Promise((resolve) => stream.once('close', resolve));
    stream.destroy();
    await expect(output.append(buildWire())).rejects.toMatchObject({ code: 'closed' });
    await closed;
    await expect(output.append(buildWire())).rejects.toMatchObject({ code: 'closed' });
  });

  it('ends quietly when it is piped into a reader that leaves', async () => {
    await using dir = await tempDir();
    const script = await program('output-program', dir.path);
    const { exit } = launch('sh', { args: ['-c', `"$0" "$1" | head -n 1`, process.execPath, script] });
    const { code, stdout, stderr } = await exit;
    expect([code, stderr]).toEqual([0, 'broken-pipe\n']);
    expect(ids(new JsonlReader().push(Buffer.from(stdout)))).toHaveLength(1);
  });
});
