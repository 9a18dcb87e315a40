import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../src/index.js';
// @ts-expect-error -- generators are plain JavaScript, to be run by hand
import { lines as madeLines } from './corpus/make-precision.mjs';
// @ts-expect-error -- as above
import { cases as madeCases } from './corpus/make-recall.mjs';

const redactor = createRedactor();
const file = (name: string): string => readFileSync(new URL(`corpus/${name}`, import.meta.url), 'utf8');
const lines = file('precision.txt').trimEnd().split('\n');
const cases = file('recall.jsonl')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as [kind: string, marked: string]);

function planted(marked: string): { text: string; secrets: string[] } {
  const whole = marked.replaceAll('·', '');
  return { text: whole.replace(/[⟦⟧]/g, ''), secrets: [...whole.matchAll(/⟦([^⟧]*)⟧/g)].map((match) => match[1]!) };
}

/** Ten characters in a row of a secret, or all of a short one. */
function leak(secret: string, output: string): string | undefined {
  if (secret.length <= 12) return output.includes(secret) ? secret : undefined;
  for (let at = 0; at + 10 <= secret.length; at += 1) if (output.includes(secret.slice(at, at + 10))) return secret.slice(at, at + 10);
  return undefined;
}

describe('the precision corpus', () => {
  it('is what its generator makes, and long enough', () => {
    expect(lines).toEqual(madeLines);
    expect(lines.length).toBeGreaterThanOrEqual(300);
  });

  it('has no hit, line by line and as a whole', () => {
    for (const line of lines) expect(redactor.text(line)).toBe(line);
    const all = lines.join('\n');
    expect(redactor.scan(all)).toEqual({ text: all, findings: [] });
  });
});

describe('the recall corpus', () => {
  it('is what its generator makes, and long enough', () => {
    expect(cases).toEqual(madeCases);
    expect(cases.length).toBeGreaterThanOrEqual(300);
  });

  it('has no miss, and nothing is found twice [B-203]', () => {
    for (const [kind, marked] of cases) {
      const { text, secrets } = planted(marked);
      const output = redactor.text(text);
      for (const secret of secrets) expect(leak(secret, output), `${kind}: ${output}`).toBeUndefined();
      expect(redactor.text(output), kind).toBe(output);
    }
  });

  it('has no miss as strings of values, in texts of texts, and in chunks', () => {
    for (const [kind, marked] of cases) {
      const { text, secrets } = planted(marked);
      const value = JSON.stringify(redactor.value({ a: [{ b: text }], c: JSON.stringify({ d: text }) }));
      const stream = redactor.stream();
      let chunks = '';
      for (let at = 0; at < text.length; at += 7) chunks += stream.push(text.slice(at, at + 7));
      chunks += stream.end();
      for (const secret of secrets) {
        expect(leak(secret, value), `${kind}: ${value}`).toBeUndefined();
        expect(leak(secret, chunks), `${kind}: ${chunks}`).toBeUndefined();
      }
    }
  });

  it('has no miss when all of it is one text', () => {
    // Words of headers stand in other texts too.
    const all = cases.filter(([kind]) => !/signature|digest|cookie|mail|gcp/.test(kind)).map(([, marked]) => planted(marked));
    const output = redactor.text(all.map(({ text }) => text).join('\n\n'));
    for (const { secrets } of all) for (const secret of secrets) expect(leak(secret, output)).toBeUndefined();
  });
});
