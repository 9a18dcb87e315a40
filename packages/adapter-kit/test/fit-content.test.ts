import { describe, expect, it } from 'vitest';

import { fitContent } from '../src/fit-content.js';
import { feeder, testAdapter } from './support.js';

describe('content that is too large', () => {
  it('has its longest texts cut, all to one length, and short ones kept', () => {
    const cut = fitContent({ long: 'x'.repeat(200_000), list: ['y'.repeat(100_000), 'short'], n: 5 }, 262_144);
    expect(cut).toEqual({ long: `${'x'.repeat(65_536)}…`, list: [`${'y'.repeat(65_536)}…`, 'short'], n: 5 });
    expect(fitContent({ long: 'x'.repeat(200_000) }, 262_144)).toEqual({ long: 'x'.repeat(200_000) });
  });

  it('is measured in bytes as JSON has them', () => {
    expect(JSON.stringify(fitContent({ text: '\u0001'.repeat(60_000) }, 262_144)).length).toBeLessThan(262_144);
    expect(Buffer.byteLength(JSON.stringify(fitContent({ text: '€'.repeat(100_000) }, 262_144)))).toBeLessThan(262_144);
  });

  it('keeps no half character', () => {
    const cut = fitContent({ text: `${'x'.repeat(65_535)}😀${'y'.repeat(300_000)}` }, 262_144)?.text as string;
    expect(cut).toBe(`${'x'.repeat(65_535)}…`);
  });

  it('loses what is nested too deeply for an Event', () => {
    let value: unknown = 'deep';
    for (let level = 0; level < 100; level += 1) value = { in: value };
    const [event] = feeder(testAdapter({ ceiling: 'full' }))('Tool', { tool: 'T', input: value });
    expect([event?.type, event?.capture]).toEqual(['tool.requested', 'full']);
    expect(JSON.stringify(event)).toContain('…');
    expect(JSON.stringify(event)).not.toContain('deep');
  });

  it('goes where nothing else helps, and the Event stays', () => {
    const input = { numbers: Array.from({ length: 100_000 }, (_, n) => n) };
    expect(fitContent(input, 262_144)).toBeUndefined();
    const [event] = feeder(testAdapter({ ceiling: 'full' }))('Tool', { tool: 'T', input });
    expect([event?.capture, Object.keys(event?.data ?? {})]).toEqual(['metadata', ['tool', 'args_digest']]);
  });

  it('is cut ahead of the pipeline where it cannot fit, and no half of a secret stays at the cut', () => {
    const secret = 'S3CRET'.repeat(100);
    let seen = 0;
    const redactor = {
      text: (text: string) => {
        seen = Math.max(seen, text.length);
        return text.replaceAll(secret, '[R]');
      },
      value: (value: never): never => JSON.parse((JSON.stringify(value)).replaceAll(secret, '[R]')) as never,
    };
    for (const at of [-599, -300, -1, 0].map((offset) => 262_144 + 16_384 + offset)) {
      const stdout = `${'x'.repeat(at)}${secret}${'y'.repeat(20_000)}`;
      const [event] = feeder(testAdapter({ ceiling: 'redacted', redactor }))('ToolDone', { tool: 'T', result: { stdout } });
      const text = JSON.stringify(event?.data?.result_redacted);
      expect(text.length).toBeGreaterThan(60_000);
      expect(text).not.toContain('S3');
    }
    expect(seen).toBe(262_144 + 16_384);
  });

  it('is kept whole where there is no limit', () => {
    const [event] = feeder(testAdapter({ ceiling: 'full', maxContentBytes: Infinity }))('Prompt', { prompt: 'x'.repeat(400_000) });
    expect((event?.data?.prompt as string).length).toBe(400_000);
  });
});
