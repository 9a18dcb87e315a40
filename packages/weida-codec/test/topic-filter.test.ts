import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

import { TopicFilter, TopicFilterIndex } from '../src/index.js';
import { arbitraryFilter, arbitraryTopic } from './arbitraries.js';
import { errorOf } from './support.js';

const matches = (filter: string, ...topics: string[]): boolean[] => topics.map((topic) => TopicFilter.parse(filter).matches(topic));
const all = (filter: string, ...topics: string[]): void => expect(matches(filter, ...topics)).toEqual(topics.map(() => true));
const none = (filter: string, ...topics: string[]): void => expect(matches(filter, ...topics)).toEqual(topics.map(() => false));
const refused = (filter: string): string => {
  const { code, clause, offset } = errorOf(() => TopicFilter.parse(filter));
  return `${code} ${offset} ${clause}`;
};

/** The rules of weida §6.4 as they are written, segment by segment, with no eye on speed. */
function specified(filter: string, topic: string): boolean {
  const wanted = filter === '' ? ['#'] : filter.split('.');
  const given = topic.split('.');
  for (const [i, segment] of wanted.entries()) {
    if (segment === '#') return true;
    if (i >= given.length || (segment !== '*' && segment !== given[i])) return false;
  }
  return wanted.length === given.length;
}

describe('a topic filter', () => {
  it('is cut at dots, and so is the topic [W-260]', () => {
    all('a.b', 'a.b');
    none('a.b', 'a', 'ab', 'a.b.c', 'a/b', 'a。b');
    all('a/b.*', 'a/b.c');
    none('a/b.*', 'a.b.c');
  });

  it('takes one segment of any content for * [W-261]', () => {
    all('*', 'a', '', '*', '#', 'a b');
    none('*', 'a.b', '.');
    all('a.*.c', 'a.b.c', 'a..c', 'a.*.c', 'a.#.c');
    none('a.*.c', 'a.c', 'a.b.b.c', 'a.b.d');
    all('*.', 'a.', '.');
    none('*.', 'a', 'a.b');
  });

  it('takes what is left for a final #, and nothing left as well [W-262, W-263]', () => {
    all('a.#', 'a', 'a.b', 'a.b.c', 'a.');
    none('a.#', 'ab', '', 'b.a', 'ab.c');
    all('a.*.#', 'a.b', 'a.b.c', 'a.');
    none('a.*.#', 'a');
    all('*.#', '', 'a', 'a.b.c');
    all('.#', '', '.', '.a');
    none('.#', 'a');
  });

  it('takes itself for everything else, octet for octet [W-264]', () => {
    all('px.eur', 'px.eur');
    none('px.eur', 'px.eur.spot', 'px.EUR', 'px.*', 'px.eu', 'px.eurx', 'p.eur', '');
    all('px eur', 'px eur');
  });

  it('takes an empty segment for an empty segment [W-265]', () => {
    all('a..b', 'a..b');
    none('a..b', 'a.b', 'a.x.b', 'a...b');
    all('.', '.');
    none('.', '', '..', 'a.b');
    none('a.', 'a', 'a..');
    none('.a', 'a', '..a');
  });

  it('takes every topic where it is empty, as # does [W-266]', () => {
    for (const filter of ['', '#']) all(filter, '', 'a', 'a.b', '.', '*', '#', 'a.b.c.d', '日本');
  });

  it('has no escape [W-267]', () => {
    for (const filter of ['\\*', '\\#', 'a.\\*', '%*']) expect(refused(filter)).toMatch(/^filter-wildcard/);
    all('\\', '\\');
    none('%2a', '*');
  });

  it('does not normalize and does not fold case [W-268, W-269]', () => {
    all('caf\u00e9.*', 'caf\u00e9.x');
    none('caf\u00e9.*', 'cafe\u0301.x', 'CAF\u00c9.x');
    none('\ufb01', 'fi');
    none('a', 'A');
    all('a\uff0ab', 'a\uff0ab');
  });

  it('takes * and # of a topic for what they are [W-270]', () => {
    all('px.*', 'px.*', 'px.#');
    all('px.#', 'px.*', 'px.#');
    none('a.b', 'a.*', 'a.#', '#', '*');
    none('a', '*', '#');
  });

  it('has no prefix of its own: px. is not px.eur [W-271]', () => {
    none('px.', 'px.eur', 'px', 'px..');
    all('px.', 'px.');
  });

  it('px.* takes px.eur and px.*, not px and not px.eur.spot [W-272]', () => {
    expect(matches('px.*', 'px.eur', 'px.*', 'px', 'px.eur.spot', 'px.')).toEqual([true, true, false, false, true]);
  });

  it('without # takes topics of as many segments [W-273]', () => {
    fc.assert(
      fc.property(arbitraryFilter, arbitraryTopic, (filter, topic) => {
        if (filter === '' || filter.endsWith('#') || !TopicFilter.parse(filter).matches(topic)) return;
        expect(topic.split('.')).toHaveLength(filter.split('.').length);
      }),
      { numRuns: 3000 },
    );
  });

  it('is refused where * or # has company, or # is not last', () => {
    expect(['a*', '*a', 'a.b*', '**', 'a.**', 'a.*b', 'a.b*.c', 'é*'].map(refused)).toEqual([
      'filter-wildcard 1 W-275',
      'filter-wildcard 0 W-275',
      'filter-wildcard 3 W-275',
      'filter-wildcard 0 W-275',
      'filter-wildcard 2 W-275',
      'filter-wildcard 2 W-275',
      'filter-wildcard 3 W-275',
      'filter-wildcard 2 W-275',
    ]);
    expect(['a#', '#a', 'a.#b', '##', '#*', 'a.##'].map(refused)).toEqual(['1', '0', '2', '0', '0', '2'].map((at) => `filter-wildcard ${at} W-276`));
    expect(['#.a', 'a.#.b', '#.#', '#.', 'a.#.'].map(refused)).toEqual(['0', '2', '0', '0', '2'].map((at) => `filter-rest ${at} W-277`));
  });

  it('has at most 256 octets and is Unicode', () => {
    expect(TopicFilter.parse('a'.repeat(256)).text).toHaveLength(256);
    expect(refused('a'.repeat(257))).toBe('too-long 256 W-258');
    expect(refused('é'.repeat(129))).toBe('too-long 256 W-258');
    expect(refused('\ud800')).toBe('invalid-utf8 0 OPEN-1');
    expect(String(TopicFilter.parse('a.*'))).toBe('a.*');
  });

  it('agrees with the rules as they are written', () => {
    fc.assert(
      fc.property(arbitraryFilter, arbitraryTopic, (filter, topic) => {
        expect(TopicFilter.parse(filter).matches(topic)).toBe(specified(filter, topic));
      }),
      { numRuns: 10_000 },
    );
  });

  it('looks at each character of the topic once, and makes nothing [W-274]', () => {
    const filter = TopicFilter.parse('*.a.*.a.*.a.*.b.#');
    for (const segments of [100, 200, 400]) {
      const text = 'a.'.repeat(segments);
      let looks = 0;
      const counting = { length: text.length, charCodeAt: (i: number) => (looks++, text.charCodeAt(i)), startsWith: () => false, split: undefined, slice: undefined, substring: undefined };
      expect(filter.matches(counting as unknown as string)).toBe(specified(filter.text, text));
      // Eight segments decide: a segment is looked at twice at most, at its end.
      expect(looks).toBeLessThan(64);
    }
    const long = TopicFilter.parse(`${'*.'.repeat(120)}x`);
    const looksFor = (segments: number): number => {
      const text = Array.from({ length: segments }, () => 'abcdefgh').join('.');
      let looks = 0;
      long.matches({ length: text.length, charCodeAt: (i: number) => (looks++, text.charCodeAt(i)) } as unknown as string);
      return looks;
    };
    expect(looksFor(100)).toBeLessThanOrEqual(2.1 * looksFor(50));
  });
});

describe('an index of topic filters', () => {
  it('finds what each filter by itself would', () => {
    fc.assert(
      fc.property(fc.array(arbitraryFilter, { maxLength: 30 }), fc.array(arbitraryTopic, { minLength: 1, maxLength: 10 }), fc.infiniteStream(fc.boolean()), (filters, topics, keep) => {
        const index = new TopicFilterIndex<number>();
        const entries = filters.map((filter, i) => index.add(TopicFilter.parse(filter), i));
        const kept = entries.map((entry) => (keep.next().value ? true : !index.delete(entry)));
        expect(index.size).toBe(kept.filter(Boolean).length);
        for (const topic of topics) {
          const expected = filters.flatMap((filter, i) => (kept[i]! && specified(filter, topic) ? [i] : []));
          expect(index.match(topic).sort((a, b) => a - b)).toEqual(expected);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('gives each entry once, and the same pair as often as it was added', () => {
    const index = new TopicFilterIndex<string>();
    const filter = TopicFilter.parse('a.#');
    index.add(filter, 'x');
    const second = index.add(filter, 'x');
    expect(index.match('a')).toEqual(['x', 'x']);
    expect(index.delete(second)).toBe(true);
    expect(index.delete(second)).toBe(false);
    expect(index.match('a.b.c')).toEqual(['x']);
    expect(index.size).toBe(1);
  });

  it('keeps nothing of what was deleted', () => {
    const index = new TopicFilterIndex<number>();
    const entries = ['a.b.c', 'a.*.c', 'a.b', '', '#', '__proto__', 'constructor.#'].map((filter, i) => index.add(TopicFilter.parse(filter), i));
    expect(index.match('__proto__')).toEqual(expect.arrayContaining([5]));
    for (const entry of entries) index.delete(entry);
    expect(index.size).toBe(0);
    for (const topic of ['a.b.c', '', '__proto__', 'constructor']) expect(index.match(topic)).toEqual([]);
    for (const filter of ['*.*.*.*', 'a.*.c.d', 'a.b.*.#']) index.delete(index.add(TopicFilter.parse(filter), 8));
    // One look, at the root: no branch is left to follow.
    const get = vi.spyOn(Map.prototype, 'get');
    expect(index.match('a.b.c.d')).toEqual([]);
    expect(get).toHaveBeenCalledTimes(1);
    get.mockRestore();
    index.add(TopicFilter.parse('a.b.c'), 9);
    expect(index.match('a.b.c')).toEqual([9]);
  });

  it('lets a callback add and delete', () => {
    const index = new TopicFilterIndex<number>();
    const entries = [1, 2].map((value) => index.add(TopicFilter.parse('a'), value));
    const seen: number[] = [];
    index.forEachMatch('a', (value) => {
      seen.push(value);
      for (const entry of entries) index.delete(entry);
      index.add(TopicFilter.parse('a'), 3);
    });
    expect(seen.sort()).toEqual([1, 2]);
    expect(index.match('a')).toEqual([3, 3]);
  });
});
