import type { PayloadType } from './generated/payloads.js';
import type { PayloadSchema } from './payload-schema.js';
import { mandatory } from './table/mandatory.js';
import { optional } from './table/optional.js';

/**
 * JSON Schema 2020-12 for the `data` of the 44 types that have one, with `x-aep-capture` on every member (AEP-0002 §5).
 * All are open: members they do not list are legal and count as `metadata`. This is data; {@link validatePayload} runs
 * code made from it at build.
 *
 * The checks of `format` are to be asserted, and `$id`s are names, not addresses to fetch.
 */
export const payloadSchemas: Readonly<Record<PayloadType, PayloadSchema>> = /* @__PURE__ */ withNames({ ...mandatory, ...optional });

function withNames(schemas: Readonly<Record<string, PayloadSchema>>): Readonly<Record<PayloadType, PayloadSchema>> {
  const named = Object.entries(schemas).map(([type, schema]) => [
    type,
    { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: `aep://schemas/0.1/types/${type}.schema.json`, ...schema },
  ]);
  return Object.freeze(Object.fromEntries(named) as Record<PayloadType, PayloadSchema>);
}
