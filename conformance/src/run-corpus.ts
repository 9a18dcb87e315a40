import type { CorpusCase, EventInput } from './case.js';
import type { Implementation } from './implementation.js';
import { loadCorpus } from './load-corpus.js';
import { sameJson } from './same-json.js';

/**
 * How a case went. `expected-failure`: failed, and the list says so. `unexpected-pass`: passed although the list says that it
 * fails, which is an error of the list. `skipped`: the implementation has no function for the area.
 */
export type Outcome = 'passed' | 'failed' | 'expected-failure' | 'unexpected-pass' | 'skipped';

/** The result of one case. */
export interface CaseResult {
  readonly id: string;
  readonly area: CorpusCase['area'];
  readonly title: string;
  readonly outcome: Outcome;
  readonly expected: unknown;
  /** What the implementation answered, or the error that it threw. */
  readonly actual: unknown;
}

/** What to run. */
export interface RunOptions {
  readonly implementation: Implementation;
  /** Default: the corpus of this package. */
  readonly cases?: readonly CorpusCase[];
  /** Ids of cases that are known to fail, each with the reason. An id that is no case is an error. */
  readonly expectedFailures?: Readonly<Record<string, string>>;
}

/** Runs every case against an implementation. An implementation that throws fails the case. */
export async function runCorpus(options: RunOptions): Promise<readonly CaseResult[]> {
  const { implementation, cases = loadCorpus(), expectedFailures = {} } = options;
  const listed = new Set(Object.keys(expectedFailures));
  const results: CaseResult[] = [];
  for (const item of cases) results.push(await runCase(implementation, item, listed.delete(item.case.id)));
  if (listed.size > 0) throw new Error(`expected failures that are no case: ${[...listed].join(', ')}`);
  return results;
}

/** Whether a result calls for somebody: a failure that is not listed, or a listed one that passes. */
export function isBad(result: CaseResult): boolean {
  return result.outcome === 'failed' || result.outcome === 'unexpected-pass';
}

async function runCase(implementation: Implementation, item: CorpusCase, listed: boolean): Promise<CaseResult> {
  const { id, title } = item.case;
  const expected = 'verdict' in item.case ? item.case.verdict : item.case.expected;
  const result = (outcome: Outcome, actual?: unknown): CaseResult => ({ id, area: item.area, title, outcome, expected, actual });
  if (implementation[FUNCTIONS[item.area]] === undefined) return result('skipped');
  let actual: unknown;
  let right: boolean;
  try {
    actual = await answer(implementation, item);
    right = isRight(item, actual);
  } catch (error) {
    actual = error;
    right = false;
  }
  if (listed) return result(right ? 'unexpected-pass' : 'expected-failure', actual);
  return result(right ? 'passed' : 'failed', actual);
}

const FUNCTIONS: Readonly<Record<CorpusCase['area'], keyof Implementation>> = {
  envelope: 'envelope',
  payload: 'payload',
  emission: 'emission',
  extensions: 'extensions',
  'attr-match': 'attrMatch',
  capture: 'capture',
  stream: 'stream',
  digest: 'digest',
  order: 'order',
  'sse-id': 'sseId',
  'last-event-id': 'lastEventId',
};

function answer(implementation: Implementation, item: CorpusCase): unknown {
  switch (item.area) {
    case 'envelope':
      return implementation.envelope?.('base64' in item.case ? Buffer.from(item.case.base64, 'base64') : encode(textOf(item.case)));
    case 'payload':
      return implementation.payload?.(textOf(item.case));
    case 'emission':
      return implementation.emission?.(textOf(item.case));
    case 'extensions':
      return implementation.extensions?.(item.case.text);
    case 'attr-match':
      return implementation.attrMatch?.(item.case.filter, textOf(item.case));
    case 'capture':
      return implementation.capture?.(textOf(item.case), item.case.ceiling);
    case 'stream':
      return implementation.stream?.(item.case.events.map((event) => JSON.stringify(event)));
    case 'digest':
      return implementation.digest?.(item.case.text);
    case 'order':
      return implementation.order?.(item.case.a, item.case.b);
    case 'sse-id':
      return implementation.sseId?.(textOf(item.case));
    case 'last-event-id':
      return implementation.lastEventId?.(item.case.text);
  }
}

function isRight(item: CorpusCase, actual: unknown): boolean {
  switch (item.area) {
    case 'capture':
      if (typeof actual !== 'string') return false;
      return item.case.verbatim === true ? actual === item.case.expected : sameJson(actual, item.case.expected);
    case 'stream': {
      const found = new Set(actual as Iterable<string>);
      return found.size === item.case.expected.length && item.case.expected.every((finding) => found.has(finding));
    }
    case 'last-event-id': {
      const { expected } = item.case;
      if (expected === null || actual === null) return actual === expected;
      const { session, epoch, seq } = actual as typeof expected;
      return session === expected.session && epoch === expected.epoch && seq === expected.seq;
    }
    case 'digest':
    case 'order':
    case 'sse-id':
      return actual === item.case.expected;
    default:
      return actual === item.case.verdict;
  }
}

function textOf(input: EventInput): string {
  return 'text' in input ? input.text : JSON.stringify(input.event);
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
