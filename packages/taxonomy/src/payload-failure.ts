import { report, type IssueList } from './issue-list.js';
import { memberPath } from './member-path.js';
import type { PayloadIssueCode } from './payload-issue.js';

/** Where the generated checks put what fails. */
export type Failures = IssueList;

/** The keywords of JSON Schema that the payload schemas use. */
type Keyword = 'type' | 'required' | 'enum' | 'minimum' | 'maximum' | 'format';

const CODES: Readonly<Record<Keyword, PayloadIssueCode>> = {
  type: 'wrong-type',
  required: 'missing-member',
  enum: 'unknown-value',
  minimum: 'out-of-range',
  maximum: 'out-of-range',
  format: 'invalid-format',
};

/** Called by the generated checks; `pointer` is a JSON Pointer into `data` made of names of the schema and indexes. */
export function fail(issues: Failures, pointer: string, keyword: Keyword, detail: string): void {
  let path = '$.data';
  for (const segment of pointer.split('/').slice(1)) path = /^\d+$/.test(segment) ? `${path}[${segment}]` : memberPath(path, segment);
  if (keyword === 'required') path = memberPath(path, detail);
  report(issues, CODES[keyword], path, sentence(keyword, detail));
}

function sentence(keyword: Keyword, detail: string): string {
  switch (keyword) {
    case 'type':
      return `has to be of type ${detail}`;
    case 'required':
      return 'is required';
    case 'enum':
      return `has to be one of ${detail}`;
    case 'minimum':
    case 'maximum':
      return `has to be ${detail}`;
    case 'format':
      return `is not a ${detail}`;
  }
}
