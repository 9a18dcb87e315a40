/** A level that a payload member can be gated at; nothing is gated at `none`, where there is no payload. */
export type GatedLevel = 'metadata' | 'redacted' | 'full';

/** What stands in for a `[metadata*]` member below `redacted` (AEP-0002 §5.3). */
export type Degraded = 'prompt' | 'label' | 'values';

/**
 * One node of a payload schema: the part of JSON Schema 2020-12 that the registered payloads use, plus `x-aep-capture`,
 * the lowest `capture` of an Event at which the member may appear (AEP-0002 §5.1). A node without it counts as `metadata`.
 */
export interface PayloadSchema {
  readonly $schema?: 'https://json-schema.org/draft/2020-12/schema';
  readonly $id?: string;
  /** Marks the `[metadata*]` members: annotated `metadata`, real text only from `redacted` on (AEP-0002 §5.3). */
  readonly $comment?: `[metadata*] ${Degraded}`;
  readonly title?: string;
  readonly description?: string;
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | readonly ['object', 'string'];
  readonly properties?: Readonly<Record<string, PayloadSchema>>;
  readonly required?: readonly string[];
  readonly items?: PayloadSchema;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: 'date-time';
  readonly if?: PayloadSchema;
  readonly then?: PayloadSchema;
  readonly 'x-aep-capture'?: GatedLevel;
}
