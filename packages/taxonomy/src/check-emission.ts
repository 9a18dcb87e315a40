import { captureOf, compareSeverity, isVendorType, severityOf, type AepEvent, type JsonValue } from '@aepkit/envelope';

import type { GateTree } from './gate-tree.js';
import { gates } from './generated/gates.js';
import { issueList, report, type IssueList, type IssueOptions } from './issue-list.js';
import { levelRank, NONE } from './level.js';
import { memberPath } from './member-path.js';
import { PAYLOAD_RULES } from './payload-rules.js';
import type { PayloadIssue } from './payload-issue.js';
import { requiredMembers } from './required-members.js';
import { typeEntry } from './registry.js';
import { own } from './synthesised.js';

/**
 * Checks what an emitter owes beyond the envelope and the payload schema (AEP-0002 §5, §15): a registered type, no member
 * above the declared `capture`, no `data` at `none`, and the rules of the prose that no schema states.
 *
 * For emitters and for validators of what they write. Nobody refuses an Event at intake over any of this.
 *
 * @example
 * checkEmission({ ...event, type: 'tool.exploded' })[0]?.code; // 'unregistered-type'
 */
export function checkEmission(event: AepEvent, options?: IssueOptions): readonly PayloadIssue[] {
  const list = issueList(options);
  const { type } = event;
  const entry = typeEntry(type);
  if (entry === undefined) {
    if (!isVendorType(type)) report(list, 'unregistered-type', '$.type', 'is no type that AEP 0.1 registers');
  } else if (entry.status === 'reserved') {
    report(list, 'reserved-type', '$.type', 'is reserved, adapters use the vendor namespace', 'warning');
  }
  if ((type === 'run.step.started' || type === 'run.step.finished') && event.step === undefined) {
    report(list, 'missing-step', '$.step', 'is required, it names the phase');
  }
  if (type === 'attention.requested' && compareSeverity(severityOf(event), 'notice') < 0) {
    report(list, 'low-severity', '$.severity', 'is below notice, a request could be dropped on its way', 'warning');
  }

  const rank = levelRank(captureOf(event));
  if (event.data === undefined) {
    if (rank !== NONE && requiredMembers.has(type)) report(list, 'missing-data', '$.data', 'is missing, and its schema has required members', 'warning');
    return list.issues;
  }
  if (rank === NONE) {
    report(list, 'data-at-none', '$.data', 'must be absent at capture none');
    return list.issues;
  }
  const tree = gates.get(type);
  if (tree !== undefined) reportAbove(list, tree, event.data, rank, '$.data');
  PAYLOAD_RULES.get(type)?.(list, event.data);
  return list.issues;
}

function reportAbove(list: IssueList, tree: GateTree, data: JsonValue, rank: number, path: string): void {
  for (const [name, node] of tree) {
    const value = own(data, name);
    if (value === undefined || typeof node === 'string') continue;
    const at = memberPath(path, name);
    if (typeof node === 'number') {
      if (node > rank) report(list, 'above-capture', at, `needs capture ${node === 3 ? 'full' : 'redacted or full'}`);
    } else if ('members' in node) {
      reportAbove(list, node.members, value, rank, at);
    } else if (Array.isArray(value)) {
      (value as readonly JsonValue[]).forEach((element, index) => reportAbove(list, node.elements, element, rank, `${at}[${index}]`));
    }
  }
}
