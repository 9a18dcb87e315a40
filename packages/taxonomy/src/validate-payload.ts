import type { AepEvent } from '@aepkit/envelope';

import { validators } from './generated/validators.js';
import { issueList, type IssueOptions } from './issue-list.js';
import type { PayloadIssue } from './payload-issue.js';

const NONE: readonly PayloadIssue[] = /* @__PURE__ */ Object.freeze([]);

/**
 * Checks `data` against the schema of its type (AEP-0002 §5). Gives an empty list for a fine payload, for an Event without
 * `data`, and for types without a schema: vendor types, reserved ones, names 0.1 does not know. Members that the schema
 * does not list are legal. Only own properties count.
 *
 * This is no part of intake: an endpoint takes an Event on its envelope alone (AEP-0003 §3.2).
 *
 * @example
 * validatePayload(event).map((issue) => issue.message); // ['$.data.tool.name: is required']
 */
export function validatePayload(event: AepEvent, options?: IssueOptions): readonly PayloadIssue[] {
  const list = issueList(options);
  if (!Object.hasOwn(event, 'data') || event.data === undefined) return NONE;
  validators.get(event.type)?.(event.data, list);
  return list.issues;
}
