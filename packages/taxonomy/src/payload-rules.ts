import type { JsonObject, JsonValue } from '@aepkit/envelope';

import { report, type IssueList } from './issue-list.js';
import { memberPath } from './member-path.js';
import { own } from './synthesised.js';

type Rule = (list: IssueList, data: JsonObject) => void;

const all =
  (...rules: readonly Rule[]): Rule =>
  (list, data) =>
    rules.forEach((rule) => rule(list, data));

/**
 * What the prose asks of an emitter and no schema states (AEP-0002 §5.2, §5.3). Members of the wrong JSON type are passed
 * over: the schema reports those.
 */
export const PAYLOAD_RULES: ReadonlyMap<string, Rule> = /* @__PURE__ */ new Map<string, Rule>([
  ['run.started', all(checkCost, checkUsage)],
  ['run.finished', all(checkCost, checkUsage)],
  ['session.compacted', checkUsage],
  ['tool.requested', checkTool],
  ['tool.completed', all(checkTool, checkCost, checkUsage)],
  ['tool.failed', checkTool],
  ['tool.denied', checkTool],
  ['attention.requested', checkRequest],
  ['attention.answered', checkAnswer],
  ['control.attention.respond', checkAnswer],
  ['resource.citation.recorded', checkCitations],
  ['assessment.guardrail.recorded', checkGuardrail],
]);

function checkTool(list: IssueList, data: JsonObject): void {
  if (own(own(data, 'tool'), 'name') === '') report(list, 'empty-token', '$.data.tool.name', 'is empty', 'warning');
}

function checkCost(list: IssueList, data: JsonObject): void {
  const currency = own(own(data, 'cost'), 'currency');
  if (typeof currency === 'string' && !/^[A-Z]{3}$/.test(currency)) {
    report(list, 'invalid-currency', '$.data.cost.currency', 'is no ISO 4217 alpha-3 code');
  }
}

function checkUsage(list: IssueList, data: JsonObject): void {
  const nested = own(data, 'usage');
  if (own(nested, 'input_tokens') !== undefined || own(nested, 'output_tokens') !== undefined) {
    report(list, 'misplaced-member', '$.data.usage', 'is unknown, usage is written as flat gen_ai.usage.* keys', 'warning');
  }
}

function checkRequest(list: IssueList, data: JsonObject): void {
  const form = own(data, 'kind') === 'form';
  const fields = own(data, 'fields');
  checkIds(list, own(data, 'options'), '$.data.options');
  if (form && (fields === undefined || (Array.isArray(fields) && fields.length === 0))) {
    report(list, 'missing-fields', '$.data.fields', 'is what a form consists of');
  }
  if (fields === undefined) return;
  if (!form) report(list, 'misplaced-member', '$.data.fields', 'goes with kind form only');
  checkIds(list, fields, '$.data.fields');
  elements(fields).forEach((field, index) => {
    const at = `$.data.fields[${index}]`;
    const type = own(field, 'type');
    for (const [member, owner] of [
      ['min', 'number'],
      ['max', 'number'],
      ['other', 'select'],
    ] as const) {
      if (own(field, member) !== undefined && type !== owner) report(list, 'misplaced-member', `${at}.${member}`, `goes with fields of type ${owner} only`);
    }
    if (own(field, 'multi') !== undefined && type !== 'select') {
      report(list, 'misplaced-member', `${at}.multi`, 'means nothing but for fields of type select', 'warning');
    }
    checkIds(list, own(field, 'choices'), `${at}.choices`);
  });
}

function checkIds(list: IssueList, items: JsonValue | undefined, path: string): void {
  const seen = new Set<JsonValue>();
  elements(items).forEach((item, index) => {
    const id = own(item, 'id');
    if (id === undefined) return;
    if (seen.has(id)) report(list, 'duplicate-id', `${path}[${index}].id`, 'stands in this list before', 'warning');
    seen.add(id);
  });
}

function checkAnswer(list: IssueList, data: JsonObject): void {
  const values = own(own(data, 'answer'), 'values');
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return;
  for (const [id, value] of Object.entries(values as JsonObject)) {
    const nested = Array.isArray(value) ? (value as readonly JsonValue[]).some((element) => typeof element === 'object') : typeof value === 'object';
    if (nested) report(list, 'nested-answer', memberPath('$.data.answer.values', id), 'has to be a string, a number, a boolean or a list of ids');
  }
}

function checkCitations(list: IssueList, data: JsonObject): void {
  elements(own(data, 'citations')).forEach((citation, index) => {
    const at = `$.data.citations[${index}]`;
    if (own(citation, 'source') === undefined) report(list, 'missing-source', `${at}.source`, 'belongs to every citation', 'warning');
    const offset = own(citation, 'offset');
    const variants = ['char', 'page', 'block'].filter((name) => own(offset, name) !== undefined);
    if (variants.length > 1) report(list, 'several-offsets', `${at}.offset`, `has ${variants.join(' and ')}, and may have one`);
  });
}

function checkGuardrail(list: IssueList, data: JsonObject): void {
  elements(own(own(data, 'guardrail'), 'categories')).forEach((category, index) => {
    if (own(category, 'name') === undefined) {
      report(list, 'missing-member', `$.data.guardrail.categories[${index}].name`, 'belongs to every category', 'warning');
    }
  });
}

function elements(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}
