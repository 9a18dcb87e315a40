import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AREAS, aepkit, loadCorpus, runCorpus } from '../src/index.js';

const cases = loadCorpus();
const expectedFailures = JSON.parse(readFileSync(new URL('../expected-failures.json', import.meta.url), 'utf8')) as Record<string, string>;
const results = await runCorpus({ implementation: aepkit, cases, expectedFailures });

describe.each(AREAS)('%s', (area) => {
  for (const result of results.filter((candidate) => candidate.area === area)) {
    it(`${result.id}: ${result.title}`, () => {
      expect(result, JSON.stringify(result)).toMatchObject({ outcome: result.id in expectedFailures ? 'expected-failure' : 'passed' });
    });
  }
});

describe('the corpus', () => {
  it('is run to the last case', () => {
    expect(results).toHaveLength(cases.length);
    expect(results.filter((result) => result.outcome === 'skipped')).toEqual([]);
  });
});
