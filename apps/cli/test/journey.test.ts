import { buildSession, tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { aepIn, lines, startCollector } from './support.js';

const parsed = (text: string): { type: string; id: string; session: string }[] => lines(text).map((line) => JSON.parse(line) as never);

describe('a person with an agent', () => {
  it('plays the demo, sees it, restarts the collector, and goes on exactly where tail stopped', { timeout: 60_000 }, async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const data = ['--data', home.file('data')];
    let collector = await startCollector(aep, data);
    const at = (env = collector.url): Record<string, string> => ({ AEP_URL: env });

    const demo = await aep.run(['demo', '--scenario', 'success', '--pace', '0'], { env: at() });
    expect([demo.code, demo.stdout, demo.stderr]).toEqual([0, '', expect.stringMatching(/^playing success: session /)]);
    const tail = ['tail', '--type', 'tool.*', '--json', '--no-follow', '--state', home.file('positions')];
    const first = await aep.run(tail, { env: at() });
    expect([first.code, parsed(first.stdout).map(({ type }) => type)]).toEqual([0, ['tool.requested', 'tool.completed']]);

    expect((await collector.process.stop('SIGTERM')).code).toBe(0);
    collector = await startCollector(aep, data);
    await aep.run(['demo', '--scenario', 'failure', '--pace', '0'], { env: at() });
    const second = await aep.run(tail, { env: at() });
    expect(parsed(second.stdout).map(({ type }) => type)).toEqual(['tool.requested', 'tool.failed']);
    expect((await aep.run(tail, { env: at() })).stdout).toBe('');

    const all = await aep.run(['tail', '--no-resume', '--no-follow', '--json'], { env: at() });
    expect(parsed(all.stdout)).toHaveLength(16);
    const valid = await aep.run(['validate', '-'], { input: all.stdout });
    expect([valid.code, valid.stdout, valid.stderr]).toEqual([0, '', '16 Events, 0 errors, 0 warnings\n']);

    const sessions = await aep.run(['sessions'], { env: at() });
    expect(lines(sessions.stdout)).toHaveLength(2);
    expect(sessions.stdout).toMatch(/ended .* 8 events {2}claude-code/);
    await collector.process.stop();
  });

  it('sees Events as they come, through a restart of the collector, each once', { timeout: 60_000 }, async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const data = ['--data', home.file('data')];
    const first = await startCollector(aep, data);
    const tail = aep.start(['tail', '--json', '--url', first.url]);
    const send = (from: number): Promise<unknown> =>
      aep.run(['emit', '-', '--url', first.url], { input: buildSession(3, { session: 'live', first: from }).map(({ json }) => json).join('\n') });
    await send(0);
    await tail.output(/"seq":2\b/);
    await first.process.stop();
    const second = await startCollector(aep, [...data, '--port', first.port]);
    await send(3);
    await tail.output(/"seq":5\b/);
    await tail.stop('SIGINT');
    expect(parsed(tail.stdout()).map((event) => (event as unknown as { seq: number }).seq)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(tail.stderr()).toContain('stream closed');
    await second.process.stop();
  });
});

describe('tail', () => {
  it('shows foreign text as text, bounds its lines, and stops after --count in both output modes', { timeout: 60_000 }, async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const collector = await startCollector(aep, ['--data', home.file('data')]);
    const events = buildSession(5, { session: 's\u001b[2J', subject: 'x\u001b]52;c;aGk=\u0007\rfake', data: { tool: { name: 'n\u202e'.repeat(500) } } });
    await aep.run(['emit', '-'], { env: { AEP_URL: collector.url }, input: events.map(({ json }) => json).join('\n') });
    const shown = await aep.run(['tail', '--count', '2', '--no-resume', '--url', collector.url]);
    expect(shown.code).toBe(0);
    expect(lines(shown.stdout)).toHaveLength(2);
    expect(shown.stdout).toContain('\\x1b]52;c;aGk=\\x07\\x0dfake');
     
    expect(shown.stdout).not.toMatch(/[\u001b\u0007\r\u202e]/);
    const raw = await aep.run(['tail', '--json', '--count', '2', '--no-resume', '--url', collector.url]);
    expect(lines(raw.stdout)).toEqual(events.slice(0, 2).map(({ json }) => json));
    await collector.process.stop();
  });

  it('says why a filter is refused, and fails', async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const collector = await startCollector(aep, ['--data', home.file('data')]);
    const { code, stdout, stderr } = await aep.run(['tail', '--filter', '{"seq":1}', '--url', collector.url]);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('invalid-filter')]);
    await collector.process.stop();
  });

  it('ends quietly when its reader has seen enough', { timeout: 60_000 }, async () => {
    await using home = await tempDir();
    const aep = aepIn(home.path);
    const collector = await startCollector(aep, ['--data', home.file('data')]);
    await aep.run(['emit', '-'], { env: { AEP_URL: collector.url }, input: buildSession(2000, { session: 's', subject: 'x'.repeat(500) }).map(({ json }) => json).join('\n') });
    const tail = aep.start(['tail', '--json', '--no-resume', '--url', collector.url]);
    await tail.output(/\n/);
    tail.child.stdout?.destroy();
    const { code, stderr } = await tail.exit;
    expect([code, stderr.replace(/^waiting for .*\n/, '')]).toEqual([0, '']);
    await collector.process.stop();
  });
});
