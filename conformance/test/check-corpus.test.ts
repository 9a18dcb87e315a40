import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AREAS, checkCorpus, readCorpus, type CorpusFile } from '../src/index.js';

const tables = new URL('../../spec/clauses/', import.meta.url);
const clauses = new Set(
  readdirSync(tables).flatMap((name) =>
    readFileSync(new URL(name, tables), 'utf8')
      .split('\n')
      .slice(1)
      .flatMap((line) => line.split('\t')[0] ?? [])
      .filter((id) => id !== ''),
  ),
);

// No real ids: a title in a test names a clause only where the test would fail if the rule were broken.
const known = new Set(['X-036', 'X-037']);
const good = { id: 'payload/a-case', clauses: ['X-036'], title: 'accepts it [X-036]', reason: 'because', event: {}, verdict: 'accept' };

function problemsOf(item: unknown, area: CorpusFile['area'] = 'payload'): readonly string[] {
  return checkCorpus([{ area, path: `${area}/x.json`, cases: [item] }], known).filter((line) => !line.endsWith('has no case'));
}

describe('checkCorpus', () => {
  it('finds nothing wrong with the corpus of this package', () => {
    expect(clauses.size).toBeGreaterThan(500);
    expect(checkCorpus(readCorpus(), clauses)).toEqual([]);
  });

  it('finds nothing wrong with a good case', () => {
    expect(problemsOf(good)).toEqual([]);
    expect(problemsOf({ ...good, clauses: [], title: 'accepts it' })).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['a clause in no table', { ...good, clauses: ['X-999'], title: 'accepts it [X-999]' }, 'X-999 is in no table of clauses'],
    ['a title without its clauses', { ...good, title: 'accepts it' }, 'the title has to end with the clauses of the case'],
    ['a title with other clauses', { ...good, title: 'accepts it [X-037]' }, 'the title has to end with the clauses of the case'],
    ['a title with more clauses', { ...good, title: 'accepts [X-037] it [X-036]' }, 'the title has to end with the clauses of the case'],
    ['no reason', { ...good, reason: '' }, 'has no reason'],
    ['an unknown verdict', { ...good, verdict: 'maybe' }, 'verdict has a wrong value'],
    ['no verdict', { ...good, verdict: undefined }, 'verdict has a wrong value'],
    ['an unknown member', { ...good, note: 'x' }, 'note is no member of such a case'],
    ['two inputs', { ...good, text: '{}' }, 'has to have one of event, text'],
    ['no input', (({ event: _, ...rest }) => rest)(good), 'has to have one of event, text'],
    ['an id of another area', { ...good, id: 'capture/a-case' }, 'id has to be payload/ and words in lower case'],
    ['an id in capitals', { ...good, id: 'payload/A' }, 'id has to be payload/ and words in lower case'],
  ])('reports %s', (_, item, problem) => {
    expect(problemsOf(item).map((line) => line.replace(/^[^:]*: /, ''))).toContain(problem);
  });

  it('reports an id that stands twice, in two files as well, and an area without a case', () => {
    const file = { area: 'payload' as const, path: 'payload/x.json', cases: [good] };
    const problems = checkCorpus([file, { ...file, path: 'payload/y.json' }], known);
    expect(problems[0]).toBe('payload/a-case: stands twice');
    expect(problems.slice(1)).toEqual(AREAS.filter((area) => area !== 'payload').map((area) => `${area}: has no case`));
  });

  it('reports what is no case', () => {
    for (const item of [null, [], 'x', 5]) expect(problemsOf(item)).toEqual(['payload/x.json[0]: is no object']);
  });
});
