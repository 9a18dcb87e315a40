import { describe, expect, it } from 'vitest';
import { createRedactor, redactionRules } from '../src/index.js';

const redactor = createRedactor();
const ids = redactionRules.map((rule) => rule.id);
const examples = redactionRules.flatMap((rule) => rule.finds.map(([text, redacted]) => ({ rule, text, redacted })));

describe('the table of rules', () => {
  it('names each rule once', () => {
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('gives every rule that needs no configuration examples of both kinds', () => {
    for (const rule of redactionRules) {
      if (rule.id.startsWith('configured-')) continue;
      expect(rule.finds.length, rule.id).toBeGreaterThan(0);
      expect(rule.leaves.length, rule.id).toBeGreaterThan(0);
    }
  });
});

describe.each(redactionRules)('the rule $id', (rule) => {
  it('finds its examples, and says so [B-203, T-228]', () => {
    for (const [text, redacted] of rule.finds) {
      const scan = redactor.scan(text);
      expect(scan.text).toBe(redacted);
      expect(scan.findings.map((finding) => finding.rule)).toContain(rule.id);
    }
  });

  it('leaves what it should leave', () => {
    for (const text of rule.leaves) expect(redactor.text(text)).toBe(text);
  });

  it('does not find its own output', () => {
    for (const [, redacted] of rule.finds) expect(redactor.scan(redacted)).toEqual({ text: redacted, findings: [] });
  });

  it('says where: what stands there is gone, and nothing else', () => {
    for (const [text, redacted] of rule.finds) {
      let rest = text;
      for (const { start, end } of [...redactor.scan(text).findings].reverse()) rest = `${rest.slice(0, start)}\u0000${rest.slice(end)}`;
      expect(rest).toBe(redacted.replaceAll(/\[REDACTED:(?:secret|pii)\]|(?<![\w\\])~/g, '\u0000'));
    }
  });
});

describe('secrets that stand close to other characters', () => {
  const secrets = examples.filter(({ rule, text, redacted }) => redacted === '[REDACTED:secret]' && rule.id !== 'pem-block' && !text.includes(' '));
  const marks = ['_', '-', '.', '/', '"', "'", '=', ':', ',', '\\n', '\\u0022', '%3D', '\u001b[32m'];

  it('are found between every pair of marks', () => {
    for (const { text, rule } of secrets) {
      for (const before of marks) for (const after of marks) expect(redactor.text(`k${before}${text}${after}k`), `${rule.id} ${before} ${after}`).not.toContain(text);
    }
  });
});
