import type { JsonObject } from '@aepkit/envelope';

import type { Form } from './forms.js';
import { present } from './members.js';
import type { Step, ToolFacts } from './step.js';

/** Facts of {@link permission}. */
export interface PermissionFacts extends ToolFacts {
  /** Content; `permissionPrompt` makes the usual one. */
  readonly prompt?: string | undefined;
}

/** Somebody has to allow a call of a tool: `attention.requested` of kind `permission`, answered with `allow` or `deny`. */
export function permission({ prompt, ...tool }: PermissionFacts): Step {
  return {
    do: 'raise',
    tool,
    replaces: 'permission',
    event: {
      type: 'attention.requested',
      subject: tool.name,
      data: { kind: 'permission', options: [{ id: 'allow', label: 'allow' }, { id: 'deny', label: 'deny' }] },
      text: { ...present('prompt', prompt), options: [{ label: 'Allow' }, { label: 'Deny' }] },
    },
  };
}

/** `Permission requested: {tool} — {what} ({why})`; a part that is missing goes with its punctuation (AEP-0002 Annex A.2). */
export function permissionPrompt(tool: string, what?: string, why?: string): string {
  const shown = [what === undefined ? '' : ` — ${what}`, why === undefined ? '' : ` (${why})`].join('');
  return `Permission requested: ${tool}${shown}`;
}

/** Facts of {@link formRequest}. */
export interface FormFacts extends Form {
  readonly subject?: string | undefined;
  /** The call of a tool that asks. */
  readonly tool?: ToolFacts;
  /** Made of structural facts only. */
  readonly prompt: string;
  /** The agent's own words. Content. */
  readonly words?: string | undefined;
}

/** Somebody has to fill in a form: one `attention.requested` of kind `form` (AEP-0006). */
export function formRequest({ subject, tool, prompt, words, fields, labels }: FormFacts): Step {
  return {
    do: 'raise',
    replaces: tool === undefined ? 'input' : 'permission',
    ...(tool === undefined ? {} : { tool }),
    event: { type: 'attention.requested', subject, data: { kind: 'form', prompt, fields }, text: { ...present('prompt', words), fields: labels } },
  };
}

/** Facts of {@link request}. */
export interface RequestFacts {
  readonly kind: 'permission' | 'input' | 'auth' | 'review' | 'other';
  readonly subject?: string | undefined;
  /** The agent's own words. Content. */
  readonly prompt?: string | undefined;
  /** Silent while a request of one of these kinds is open. */
  readonly unless?: readonly string[];
  /** Takes the place of open requests of this kind that name neither a call nor a subject. */
  readonly replaces?: string;
  /** `session`: outside of any run. */
  readonly scope?: 'run' | 'session';
}

/** Somebody is needed: `attention.requested`. */
export function request({ kind, subject, prompt, unless, replaces, scope = 'run' }: RequestFacts): Step {
  const data: JsonObject = { kind };
  return {
    do: 'raise',
    scope,
    ...(unless === undefined ? {} : { unless }),
    ...(replaces === undefined ? {} : { replaces }),
    event: { type: 'attention.requested', subject, data, text: { ...present('prompt', prompt) } },
  };
}

/**
 * What became of the latest request about `subject` that no call of a tool made: `attention.answered` and `attention.resolved` where it was
 * accepted, `attention.resolved` otherwise, and nothing where there is none. @param facts `values` is content, by id of the field
 */
export function answered({ subject, accepted, values }: { readonly subject?: string | undefined; readonly accepted: boolean; readonly values?: JsonObject | undefined }): Step {
  return { do: 'answer', subject, accepted, values };
}
