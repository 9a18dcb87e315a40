import { WeidaError } from './errors.js';
import { filterIssue } from './filter-issue.js';
import { CAP } from './header-fields.js';
import { utf8Length } from './utf8.js';

const DOT = 0x2e;
const STAR = 0x2a;

/**
 * A topic filter (weida §6.4): segments between dots; `*` alone in a segment takes exactly one segment, of any content; `#`
 * alone in the last one takes all that is left, nothing included; everything else takes itself. The empty filter takes every
 * topic. There is no escape, and neither case nor Unicode form is folded.
 *
 * @example
 * ```ts
 * TopicFilter.parse('sensors.*.temp').matches('sensors.1.temp'); // true
 * ```
 */
export class TopicFilter {
  /** The filter as it goes on the wire. */
  readonly text: string;
  /** Octets before a final `#`, without its dot: what a topic has to begin with when no `*` stands there. */
  readonly #stem: string;
  readonly #way: 'all' | 'exact' | 'stem' | 'walk';

  private constructor(text: string) {
    this.text = text;
    const rest = text === '#' || text.endsWith('.#');
    this.#stem = rest ? text.slice(0, -2) : text;
    if (text === '' || text === '#') this.#way = 'all';
    else if (text.includes('*')) this.#way = 'walk';
    else this.#way = rest ? 'stem' : 'exact';
  }

  /**
   * Parses a filter.
   *
   * @throws {@link WeidaError} `filter-wildcard`, `filter-rest`, `too-long` (256 octets) or `invalid-utf8`; the offset counts
   *   octets of the filter.
   */
  static parse(text: string): TopicFilter {
    const octets = utf8Length(text);
    if (octets < 0) throw new WeidaError('invalid-utf8', 0, 'OPEN-1', 'a surrogate that stands alone');
    if (octets > CAP.filter) throw new WeidaError('too-long', CAP.filter, 'W-258', `a filter of ${octets} octets where ${CAP.filter} are allowed`);
    const issue = filterIssue(text);
    if (issue !== undefined) throw new WeidaError(issue.code, utf8Length(text.slice(0, issue.index)), issue.clause, issue.detail);
    return new TopicFilter(text);
  }

  /** Whether the filter selects a topic, in one walk from left to right that makes nothing. No octet of a topic is special. */
  matches(topic: string): boolean {
    switch (this.#way) {
      case 'all':
        return true;
      case 'exact':
        return topic === this.text;
      case 'stem': {
        const stem = this.#stem;
        return topic.startsWith(stem) && (topic.length === stem.length || topic.charCodeAt(stem.length) === DOT);
      }
      case 'walk':
        return this.#walk(topic);
    }
  }

  /** The filter, for JSON and for messages. */
  toString(): string {
    return this.text;
  }

  #walk(topic: string): boolean {
    const { text } = this;
    const filterEnd = this.#stem.length;
    const hasRest = filterEnd < text.length;
    const topicEnd = topic.length;
    let f = 0;
    let t = 0;
    // At the begin of a segment in both.
    for (;;) {
      if (f < filterEnd && text.charCodeAt(f) === STAR) {
        f++;
        while (t < topicEnd && topic.charCodeAt(t) !== DOT) t++;
      } else {
        while (f < filterEnd && text.charCodeAt(f) !== DOT) {
          if (t >= topicEnd || topic.charCodeAt(t) !== text.charCodeAt(f)) return false;
          f++;
          t++;
        }
        if (t < topicEnd && topic.charCodeAt(t) !== DOT) return false;
      }
      if (f === filterEnd) return hasRest || t === topicEnd;
      if (t === topicEnd) return false;
      f++;
      t++;
    }
  }
}
