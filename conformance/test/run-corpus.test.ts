import { describe, expect, it } from 'vitest';
import { aepkit, isBad, loadCorpus, runCorpus, type CorpusCase, type Implementation } from '../src/index.js';

const base = { clauses: [], title: 'a case', reason: 'because' };
const accept: CorpusCase = { area: 'payload', case: { ...base, id: 'payload/a', event: { n: 1 }, verdict: 'accept' } };
const reject: CorpusCase = { area: 'payload', case: { ...base, id: 'payload/b', text: '{"n":1.0}', verdict: 'reject' } };
const bytes: CorpusCase = { area: 'envelope', case: { ...base, id: 'envelope/a', base64: '/w==', verdict: 'reject' } };

const outcomes = async (implementation: Implementation, cases: readonly CorpusCase[], expectedFailures?: Record<string, string>): Promise<readonly string[]> =>
  (await runCorpus({ implementation, cases, ...(expectedFailures && { expectedFailures }) })).map((result) => result.outcome);

describe('runCorpus', () => {
  it('hands out an Event as text and bytes as bytes', async () => {
    const seen: unknown[] = [];
    await runCorpus({
      implementation: { name: 'x', payload: (event) => (seen.push(event), 'accept'), envelope: (given) => (seen.push([...given]), 'reject') },
      cases: [accept, reject, bytes],
    });
    expect(seen).toEqual(['{"n":1}', '{"n":1.0}', [255]]);
  });

  it('fails a wrong answer, no answer and an error, and skips an area without a function', async () => {
    expect(await outcomes({ name: 'x', payload: () => 'accept' }, [accept, reject, bytes])).toEqual(['passed', 'failed', 'skipped']);
    expect(await outcomes({ name: 'x', payload: () => undefined as never }, [accept])).toEqual(['failed']);
    const [result] = await runCorpus({ implementation: { name: 'x', payload: () => Promise.reject(new Error('boom')) }, cases: [reject] });
    expect(result).toMatchObject({ outcome: 'failed', expected: 'reject', actual: new Error('boom') });
    expect(isBad(result!)).toBe(true);
  });

  it('takes a listed failure, and reports a listed case that passes', async () => {
    const implementation: Implementation = { name: 'x', payload: () => 'accept' };
    expect(await outcomes(implementation, [accept, reject], { 'payload/b': 'known' })).toEqual(['passed', 'expected-failure']);
    const results = await runCorpus({ implementation, cases: [accept], expectedFailures: { 'payload/a': 'gone' } });
    expect(results.map((result) => [result.outcome, isBad(result)])).toEqual([['unexpected-pass', true]]);
    await expect(outcomes(implementation, [accept], { 'payload/z': 'typo' })).rejects.toThrow('expected failures that are no case: payload/z');
  });

  it('fails every case of an implementation that always gives the same answer in some area', async () => {
    const lazy: Implementation = {
      name: 'lazy',
      envelope: () => 'accept',
      payload: () => 'reject',
      emission: () => 'accept',
      extensions: () => 'accept',
      attrMatch: () => 'match',
      capture: (event) => event,
      stream: () => [],
      digest: () => '0'.repeat(32),
      order: () => 'same',
      sseId: () => null,
      lastEventId: () => null,
    };
    const results = await runCorpus({ implementation: lazy });
    expect(results).toHaveLength(loadCorpus().length);
    const areas = new Set(results.filter(isBad).map((result) => result.area));
    expect(areas.size).toBe(11);
    expect(results.some((result) => result.outcome === 'skipped')).toBe(false);
  });

  it('compares lowered texts as JSON unless the case asks for the text itself', async () => {
    const capture = (expected: string, verbatim?: true): CorpusCase => ({
      area: 'capture',
      case: { ...base, id: 'capture/a', text: '{"a":1,"b":2}', ceiling: 'full', expected, ...(verbatim && { verbatim }) },
    });
    const implementation: Implementation = { name: 'x', capture: () => '{ "b": 2.0, "a": 1 }' };
    expect(await outcomes(implementation, [capture('{"a":1,"b":2}')])).toEqual(['passed']);
    expect(await outcomes(implementation, [capture('{"a":1,"b":2}', true)])).toEqual(['failed']);
    expect(await outcomes(implementation, [capture('{ "b": 2.0, "a": 1 }', true)])).toEqual(['passed']);
  });

  it('tells an implementation that serialises anew from one that keeps the text', async () => {
    const again: Implementation = {
      name: 'again',
      capture: async (event, ceiling) => JSON.stringify(JSON.parse(await aepkit.capture!(event, ceiling))),
    };
    const ids = (await runCorpus({ implementation: again })).filter(isBad).map((result) => result.id);
    expect(ids).toEqual(expect.arrayContaining(['capture/to-metadata-digits', 'capture/to-none-digits', 'capture/unchanged-spelling']));
  });

  it('tells an implementation that prunes and does not degrade from a whole one', async () => {
    const prune: Implementation = {
      name: 'prune',
      capture: async (event, ceiling) => {
        const lowered = JSON.parse(await aepkit.capture!(event, ceiling)) as { data?: Record<string, unknown> };
        const given = JSON.parse(event) as { data?: Record<string, unknown> };
        for (const name of ['prompt', 'options', 'fields', 'answer']) {
          if (lowered.data !== undefined && name in lowered.data) lowered.data[name] = given.data?.[name];
        }
        return JSON.stringify(lowered);
      },
    };
    const ids = (await runCorpus({ implementation: prune })).filter(isBad).map((result) => result.id);
    expect(ids).toEqual(expect.arrayContaining(['capture/to-metadata-prompt', 'capture/to-metadata-fields', 'capture/to-metadata-attention-answered-values']));
  });
});
