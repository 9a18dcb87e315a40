import type { PayloadIssue, PayloadIssueCode } from './payload-issue.js';

/** Most issues listed for one Event. `Infinity` turns the limit off. */
export const DEFAULT_MAX_ISSUES = 100;

/** Limit of {@link validatePayload} and {@link checkEmission}. */
export interface IssueOptions {
  /** Most issues listed, default {@link DEFAULT_MAX_ISSUES}; one of code `more` follows where there were others. */
  readonly maxIssues?: number;
}

/** Collects issues up to the limit, so that a hostile payload costs no memory. */
export interface IssueList {
  readonly issues: PayloadIssue[];
  readonly max: number;
}

export function issueList(options: IssueOptions | undefined): IssueList {
  const max = options?.maxIssues ?? DEFAULT_MAX_ISSUES;
  if (max !== Infinity && !(Number.isInteger(max) && max >= 1)) throw new RangeError('maxIssues is a whole number above 0 or Infinity');
  return { issues: [], max };
}

export function report(list: IssueList, code: PayloadIssueCode, path: string, says: string, severity: 'error' | 'warning' = 'error'): void {
  const { issues, max } = list;
  if (issues.length < max) issues.push({ code, severity, path, message: `${path}: ${says}` });
  else if (issues.length === max) issues.push({ code: 'more', severity: 'error', path: '$', message: '$: there are more issues than are listed' });
}
