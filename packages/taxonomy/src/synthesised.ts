import type { JsonObject, JsonValue } from '@aepkit/envelope';

/** What a synthesised prompt is made of. */
export interface PromptFacts {
  readonly agent: string;
  readonly subject?: string | undefined;
  /** `kind` of the request, whatever a sender has put there. */
  readonly kind: JsonValue | undefined;
}

/** The prompt of `attention.requested` below `redacted`: structural facts only (AEP-0002 §5.3, AEP-0003 §9.2). */
export function promptOf({ agent, subject, kind }: PromptFacts): string {
  const asks = `${agent} requests ${typeof kind === 'string' ? kind : 'attention'}`;
  return subject === undefined ? asks : `${asks}: ${subject}`;
}

/** The label of an option, field or choice below `redacted`: the id next to it, else the position counted from 1. */
export function labelOf(owner: JsonValue | undefined, index: number): string {
  const id = own(owner, 'id');
  if (typeof id === 'string') return id;
  return typeof id === 'number' ? String(id) : String(index + 1);
}

/** An own member of an object, `undefined` for anything else. */
export function own(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as JsonObject)[name];
}
