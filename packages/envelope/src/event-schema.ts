import type { JsonObject, JsonValue } from './json.js';

const text = (description: string): JsonObject => ({ type: 'string', minLength: 1, description });
const absent = (...names: readonly string[]): JsonObject => Object.fromEntries(names.map((name) => [name, false]));

/**
 * The envelope as JSON Schema 2020-12, as data (AEP-0001 §5, §6): the same verdict as `validateEvent` when `date-time` is
 * asserted and only own properties are looked at.
 *
 * `time` has a pattern for the grammar, which works without format assertion, and the format for the calendar. The upper
 * bound of `seq` and `epoch` is what a double counts exactly.
 */
export const eventSchema: JsonObject = freeze({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:aepkit:schema:event:0.1',
  title: 'AEP 0.1 Event',
  type: 'object',
  required: ['aep', 'id', 'type', 'time', 'source', 'agent'],
  properties: {
    aep: { const: '0.1', description: 'Envelope version.' },
    id: text('Unique per source.'),
    type: {
      type: 'string',
      pattern:
        '^((agent|session|run|progress|tool|delegation|attention|resource|error|state|assessment|message|control)(\\.[a-z0-9_]+)+' +
        '|x\\.[a-z0-9_-]+\\.[a-z0-9_]+(\\.[a-z0-9_]+)+)$',
      description: 'Core or vendor type, registered or not.',
    },
    subject: text('Identifier of what was acted upon.'),
    time: {
      type: 'string',
      format: 'date-time',
      pattern:
        '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)' +
        '(\\.[0-9]+)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$',
      description: 'RFC 3339 with a zone.',
    },
    source: {
      type: 'string',
      pattern:
        '^[A-Za-z][A-Za-z0-9+.-]*:' +
        '[^\\u0000-\\u0020\\u007f-\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]*$',
      description: 'URI of the emitter: a scheme, no blanks, no control characters.',
    },
    agent: text('Logical name of the emitting agent.'),
    session: text('Session of the emitter.'),
    run: text('Run inside the session.'),
    step: text('Step inside the run.'),
    seq: { type: 'integer', minimum: 0, maximum: 9007199254740991, description: 'Position inside the epoch.' },
    epoch: { type: 'integer', minimum: 0, maximum: 9007199254740991, default: 0, description: 'Restart generation of seq.' },
    cause: text('id of the direct predecessor.'),
    traceparent: { type: 'string', pattern: '^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$', description: 'W3C trace context.' },
    severity: { enum: ['debug', 'info', 'notice', 'warning', 'error', 'critical'], default: 'info' },
    capture: { enum: ['none', 'metadata', 'redacted', 'full'], default: 'metadata' },
    data: { type: 'object', description: 'Payload; its form depends on type.' },
  },
  propertyNames: { pattern: '^[a-z0-9]{1,20}$' },
  additionalProperties: { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'boolean' }] },
  if: { required: ['type'], properties: { type: { type: 'string', pattern: '^agent\\.' } } },
  then: { properties: absent('session', 'run', 'step', 'seq') },
  else: {
    if: {
      required: ['type'],
      properties: {
        type: {
          type: 'string',
          pattern:
            '^(control\\.(attention\\.respond|cancel|pause|resume)|x\\.[a-z0-9_-]+\\.control\\..+|attention\\.routed)$',
        },
      },
    },
    then: { required: ['session'], properties: absent('seq') },
    else: { required: ['session', 'seq'] },
  },
});

function freeze(schema: JsonObject): JsonObject {
  for (const value of Object.values<JsonValue>(schema)) {
    if (typeof value === 'object' && value !== null) freeze(value as JsonObject);
  }
  return Object.freeze(schema);
}
