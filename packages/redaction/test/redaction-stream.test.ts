import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, redactionRules, type Redactor } from '../src/index.js';
import { fragments, longText } from './fragments.js';

const plain = createRedactor();
const configured = createRedactor({ names: ['NAME!x', 'multi\nline', 'secret', 'hunter2'], homes: ['/root'] });
const short = createRedactor({ names: ['NAME!x', 'multi\nline', 'secret', 'hunter2'], lookahead: 2048 });

function inChunks(redactor: Redactor, text: string, cuts: readonly number[]): { text: string; findings: unknown } {
  const stream = redactor.stream();
  let result = '';
  let from = 0;
  for (const cut of [...cuts, text.length]) {
    result += stream.push(text.slice(from, cut));
    from = cut;
  }
  return { text: result + stream.end(), findings: stream.findings };
}

const everywhere = (text: string): number[] => Array.from({ length: Math.max(0, text.length - 1) }, (_, index) => index + 1);

describe('a stream', () => {
  it('gives for the examples of every rule what the whole text gives, at every cut and byte by byte', () => {
    for (const rule of redactionRules) {
      for (const [example] of rule.finds) {
        const text = `before ${example}\nbehind`;
        const whole = plain.scan(text);
        for (const cut of everywhere(text)) expect(inChunks(plain, text, [cut]), rule.id).toEqual(whole);
        expect(inChunks(plain, text, everywhere(text)), rule.id).toEqual(whole);
      }
    }
  }, 30_000);

  it('gives for any text what the whole gives, at every cut', () => {
    fc.assert(
      fc.property(fragments(12), (text) => {
        const whole = configured.scan(text);
        for (const cut of everywhere(text)) expect(inChunks(configured, text, [cut])).toEqual(whole);
        expect(inChunks(configured, text, everywhere(text))).toEqual(whole);
      }),
      { numRuns: 40 },
    );
  });

  it('gives for lines of any length what the whole gives, in any chunks', () => {
    fc.assert(
      fc.property(longText, fc.array(fc.nat(20_000), { maxLength: 30 }), (text, places) => {
        const cuts = places.filter((cut) => cut < text.length).sort((a, b) => a - b);
        expect(inChunks(short, text, cuts)).toEqual(short.scan(text));
      }),
      { numRuns: 40 },
    );
  });

  it('gives lines out as they end, and the rest at the end', () => {
    const stream = plain.stream();
    expect(stream.push('one\ntw')).toBe('one\n');
    expect(stream.push('o\nAuthorization: Bearer ab')).toBe('two\n');
    expect(stream.push('c def123 done')).toBe('');
    expect(stream.end()).toBe('Authorization: Bearer [REDACTED:secret] def123 done');
    expect(stream.findings).toEqual([{ rule: 'bearer-token', start: 30, end: 33 }]);
    expect(() => stream.push('x')).toThrow(expect.objectContaining({ name: 'RedactionError', code: 'ended' }));
    expect(() => stream.end()).toThrow(expect.objectContaining({ code: 'ended' }));
  });

  it('holds a block back until its end, and takes one without an end from its opening on', () => {
    const stream = plain.stream();
    expect(stream.push('x\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n')).toBe('x\n');
    expect(stream.push('AAAA\n-----END RSA PRIVATE KEY-----\nrest\n')).toBe('[REDACTED:secret]\nrest\n');
    const endless = short.stream();
    let output = endless.push('-----BEGIN PRIVATE KEY-----\n');
    for (let line = 0; line < 1000; line += 1) output += endless.push(`${'q7Gw2ZtK9vXb4LmR'.repeat(4)}\n`);
    output += endless.push('# and prose');
    expect(output + endless.end()).toBe('[REDACTED:secret]# and prose');
  });

  it('holds a bounded tail back, whatever comes', () => {
    const feeds: readonly string[] = ['a', ' ', '\n', 'password=', 'password:\n', '-----BEGIN RSA PRIVATE KEY-----\n', 'ghp_', 'eyJ', 'a.', '"', '\\"', '1-', '1 ', '@', '/home/', 'multi\n', '{"token":', 'x'.repeat(5000)];
    for (const feed of feeds) {
      const stream = short.stream();
      let held = 0;
      for (let count = 0; count * feed.length < 9000; count += 1) {
        stream.push(feed);
        held = Math.max(held, stream.held);
      }
      expect(held, feed.slice(0, 20)).toBeLessThanOrEqual(3.5 * 2048 + feed.length);
    }
  }, 30_000);

  it('never cuts a pair of surrogates in two', () => {
    const stream = short.stream();
    for (let count = 0; count < 4000; count += 1) expect(stream.push('x😀').isWellFormed()).toBe(true);
    expect(stream.end().isWellFormed()).toBe(true);
  });
});
