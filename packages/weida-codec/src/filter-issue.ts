import { type WeidaErrorCode } from './errors.js';

const DOT = 0x2e;
const STAR = 0x2a;
const HASH = 0x23;

/** What breaks the grammar of a filter, and at which character. */
export interface FilterIssue {
  readonly code: WeidaErrorCode & `filter-${string}`;
  readonly index: number;
  readonly clause: string;
  readonly detail: string;
}

/** The first fault of a topic filter, or `undefined` (weida §6.4). */
export function filterIssue(filter: string): FilterIssue | undefined {
  const length = filter.length;
  let start = 0;
  for (let i = 0; i < length; i++) {
    const unit = filter.charCodeAt(i);
    if (unit === DOT) start = i + 1;
    else if (unit === STAR || unit === HASH) {
      const alone = i === start && (i + 1 === length || filter.charCodeAt(i + 1) === DOT);
      if (!alone) {
        return unit === STAR
          ? { code: 'filter-wildcard', index: i, clause: 'W-275', detail: '* is not alone in its segment' }
          : { code: 'filter-wildcard', index: i, clause: 'W-276', detail: '# is not alone in its segment' };
      }
      if (unit === HASH && i + 1 < length) return { code: 'filter-rest', index: i, clause: 'W-277', detail: '# is not the last segment' };
    }
  }
  return undefined;
}
