import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { aepIn, lines } from './support.js';

async function inspect(args: readonly string[], input = ''): Promise<{ code: number | null; out: string[]; stderr: string }> {
  await using home = await tempDir();
  const { code, stdout, stderr } = await aepIn(home.path).run(['weida', 'inspect', ...args], { input });
  return { code, out: lines(stdout), stderr };
}

describe('aep weida inspect', () => {
  it('prints frame and payload of hex digits, with the octet where each begins', async () => {
    const { code, out, stderr } = await inspect(['57 01 08 a2 00 62 2f 74 01 18 64 68 69']);
    expect([code, out, stderr]).toEqual([0, ['       0  DATA, header of 8 octets at 3: {"endpoint":"/t","contentLen":100}', '      11  payload: 2 octets'], '1 frame, 13 octets\n']);
  });

  it('says what is wrong, where, by which rule, and what it costs', async () => {
    const { code, out } = await inspect(['57030aa200622f740163612a62']);
    expect([code, out]).toEqual([1, ['      11  error: filter-wildcard: * is not alone in its segment [W-275], costs the connection']]);
    expect((await inspect(['5701'])).out).toEqual(['       2  error: truncated-preamble: the stream ends inside its preamble [OPEN-14], costs the connection']);
    expect((await inspect(['570203a10005', '--stream', 'uni'])).out[0]).toContain('frame-not-allowed');
    expect((await inspect(['570105a100622f74', '--max-header-bytes', '4'])).out[0]).toContain('header-too-long');
  });

  it('reads a file, standard input, and hex digits in either', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'stream.bin');
    await writeFile(file, Buffer.from('570603a1000102404003800f4240', 'hex'));
    const records = ['       0  CURSOR, header of 3 octets at 3: {"reportId":1}', '       6  record: level 2, offset 64', '       9  record: level 3, offset 1000000'];
    expect((await inspect([file])).out).toEqual(records);
    expect((await inspect(['-'], '570603a10001 024040\n03800f4240\n')).out).toEqual(records);
    await writeFile(file, '5706 03a1 0001 0240 4003 800f 4240\n');
    expect((await inspect([file])).out).toEqual(records);
  });

  it('goes on behind a frame that ends with its header, and counts what it ignores', async () => {
    const hello = '570010a5008100011940000219040003800480';
    const { code, out } = await inspect([`${hello}570308a200632f6d640160570203a10005ffff`]);
    expect(code).toBe(0);
    expect(out.map((line) => line.slice(0, 18))).toEqual(['       0  HELLO, h', '      19  SUBSCRIB', '      30  ERROR, h', '      36  ignored:']);
    const wrong = await inspect([`${hello}570308a200632f6d640105`]);
    expect([wrong.code, wrong.out[1]]).toEqual([1, '      29  error: wrong-type: not a text string [W-125], costs the connection']);
  });

  it('shows what stands before an error, however near', async () => {
    const { code, out, stderr } = await inspect(['570603a10001 024040 0700']);
    expect([code, out, stderr]).toEqual([
      1,
      [
        '       0  CURSOR, header of 3 octets at 3: {"reportId":1}',
        '       6  record: level 2, offset 64',
        '       9  error: undefined-value: record level 7 [W-343], costs the connection',
      ],
      '1 frame, 11 octets, then an error\n',
    ]);
  });

  it('prints JSON, integers beyond 2^53-1 as text and octets as hex', async () => {
    const { out } = await inspect(['--json', `57 01 32 a3 00 62 2f 74 06 1b ff ff ff ff ff ff ff ff 07 58 20 ${'ab'.repeat(32)}`]);
    expect(out.map((line) => JSON.parse(line) as unknown)).toEqual([
      { type: 'frame', at: 0, headerAt: 3, headerLength: 50, frame: { kind: 'DATA', endpoint: '/t', sequence: '18446744073709551615', producer: 'ab'.repeat(32) } },
    ]);
  });

  it('shows no control character of a peer', async () => {
    const { out } = await inspect(['570107a2006105056103']);
    expect(out.join('')).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
    expect((await inspect(['570106a1006461c29b62'])).out.join('')).not.toMatch(/[\u0080-\u009f]/);
  });

  it.each([[['nowhere.bin']], [['575']], [['']], [[]], [['5701', '--stream', 'bogus']], [['5701', '--max-header-bytes', '0']]])('exits with 2 for %j', async (args) => {
    const { code, out, stderr } = await inspect(args);
    expect([code, out]).toEqual([2, []]);
    expect(stderr).toMatch(/^(aep|error): /);
  });
});
