import { writeFile } from 'node:fs/promises';

import { parseEvent, sourceUri, wireEvent } from '@aepkit/envelope';
import { buildWire, tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { aepIn, lines, startCollector } from './support.js';

describe('emit', () => {
  it('makes of flags, as a model would give them, the envelope that a program makes [E-108]', async () => {
    await using home = await tempDir();
    const args = ['emit', '--type', 'progress.status', '--session', 's', '--agent', 'a', '--subject', 'build', '--run', 'r', '--severity', 'notice', '--seq', '7', '--epoch', '2', '--data', '{"percent":50}', '--dry-run'];
    const made = parseEvent((await aepIn(home.path).run(args)).stdout).event;
    const { event } = wireEvent({
      aep: '0.1',
      id: made.id,
      type: 'progress.status',
      subject: 'build',
      time: made.time,
      source: sourceUri({ host: 'localhost', agent: 'a', session: 's' }),
      agent: 'a',
      session: 's',
      run: 'r',
      seq: 7,
      epoch: 2,
      severity: 'notice',
      data: { percent: 50 },
    });
    expect(made).toEqual(event);
  });

  it('warns in the words of validate of what a consumer could not use, and sends it all the same', async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const collector = await startCollector(aep, ['--data', home.file('data')]);
    const flags = ['emit', '--url', collector.url, '--session', 's', '--type'];
    const empty = await aep.run([...flags, 'tool.requested', '--data', '{}']);
    expect(empty).toMatchObject({ code: 0, stderr: 'aep: warning: missing-member at $.data.tool: is required\n1 accepted\n' });
    const validated = await aep.run(['validate', '-'], { input: (await aep.run([...flags, 'tool.requested', '--data', '{}', '--dry-run'])).stdout });
    expect(validated.stdout).toContain('missing-member at $.data.tool: is required\n');
    expect((await aep.run([...flags, 'tool.requested', '--data', '{"tool":{"name":"t","cal_id":"1"}}'])).stderr).toBe(
      'aep: warning: unknown-member at $.data.tool.cal_id: the schema of tool.requested does not list it\n1 accepted\n',
    );
    expect((await aep.run([...flags, 'tool.requested', '--data', '{"tool":{"name":"t","call_id":"1"}}'])).stderr).toBe('1 accepted\n');
    expect((await aep.run([...flags, 'x.acme.tool.done', '--data', '{"any":{"thing":1}}'])).stderr).toBe('1 accepted\n');

    for (const data of ['{}', '{"tool":{"name":"t"},"a b":1}']) {
      const refused = await aep.run([...flags, 'tool.requested', '--strict', '--data', data]);
      expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^aep: (missing|unknown)-member at \$\.data(\.tool|\["a b"\]): .*; nothing was sent\n$/) as string });
    }
    expect(lines((await aep.run(['tail', collector.url, '--json', '--no-follow', '--type', 'tool.*'])).stdout)).toHaveLength(3);
    await collector.process.stop('SIGINT');
  });

  it('warns of the lines of a file, of the first of many only, and with --strict ends before them', async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const log = home.file('log.jsonl');
    const good = buildWire({ seq: 0 });
    const bad = Array.from({ length: 23 }, (_, index) => buildWire({ seq: index + 1, data: {} }));
    await writeFile(log, [good, ...bad].map(({ json }) => `${json}\n`).join(''));
    const sent = await aep.run(['emit', log, '--dry-run']);
    const said = lines(sent.stderr);
    expect([sent.code, lines(sent.stdout).length, said.length]).toEqual([0, 24, 21]);
    expect([said[0], said[20]]).toEqual([`aep: warning: ${log}:2: missing-member at $.data.tool: is required`, 'aep: warning: 3 more Events with faults; aep validate lists them']);
    const strict = await aep.run(['emit', log, '--dry-run', '--strict']);
    expect(strict).toMatchObject({ code: 1, stdout: '', stderr: `aep: ${log}:2: missing-member at $.data.tool: is required; nothing from line 1 on was sent\n` });
  });
});
