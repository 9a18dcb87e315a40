// The payload types of TypeScript, made from the payload schemas.

/** The text of src/generated/payloads.ts. */
export function payloadsSource(schemas, registry) {
  const shared = new Map();
  const payloads = Object.entries(schemas).map(([type, schema]) => {
    const { summary } = registry.find((entry) => entry.type === type);
    return `  /** ${summary} */\n  readonly '${type}': ${objectType(schema, shared, '  ')};\n`;
  });
  const objects = [...shared].map(([title, { note, text }]) => `${comment(note, '')}export type ${title} = ${text};\n`);
  return `// Made by scripts/generate.mjs from the payload table. Do not edit.
import type { JsonObject } from '@aepkit/envelope';

${objects.join('\n')}
/** \`data\` by type (AEP-0002 §5). All payloads are open on the wire; what is not listed here is a vendor's and not typed. */
export interface Payloads {
${payloads.join('')}}

/** A type with a payload schema. */
export type PayloadType = keyof Payloads;

/** A type that AEP 0.1 registers; two of them are reserved and have no schema. */
export type CoreType = PayloadType | ${registry
    .filter((entry) => !entry.hasSchema)
    .map((entry) => `'${entry.type}'`)
    .join(' | ')};

/**
 * The payload of a type.
 *
 * @example
 * const data: PayloadOf<'tool.completed'> = { tool: { name: 'Bash' }, duration_ms: 12 };
 */
export type PayloadOf<Type extends PayloadType> = Payloads[Type];
`;
}

function objectType(schema, shared, indent) {
  const members = Object.entries(schema.properties ?? {});
  if (members.length === 0) return 'JsonObject';
  const inner = `${indent}  `;
  const lines = members.map(([name, member]) => {
    const key = /^[a-z_]+$/.test(name) ? name : `'${name}'`;
    const optional = schema.required?.includes(name) ? '' : '?';
    return `${comment(note(member), inner)}${inner}readonly ${key}${optional}: ${typeOf(member, shared, inner)};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

function typeOf(schema, shared, indent) {
  if (schema.enum !== undefined) return schema.enum.map((value) => `'${value}'`).join(' | ');
  if (schema.title !== undefined) {
    if (!shared.has(schema.title)) {
      shared.set(schema.title, undefined);
      const text = objectType(schema, shared, '');
      shared.delete(schema.title);
      shared.set(schema.title, { text, note: `A common payload object (AEP-0002 §5.2).` });
    }
    return schema.title;
  }
  switch (schema.type) {
    case 'object':
      return objectType(schema, shared, indent);
    case 'array': {
      const item = typeOf(schema.items, shared, indent);
      return `readonly ${item.includes('|') ? `(${item})` : item}[]`;
    }
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
      return schema.type;
    default:
      return schema.type.map((type) => (type === 'object' ? 'JsonObject' : type)).join(' | ');
  }
}

/** What a reader needs beside the type: the level where it is not the usual one, bounds, the note. */
function note(schema) {
  const parts = [];
  const level = schema['x-aep-capture'];
  if (level !== undefined && level !== 'metadata') parts.push(`From \`${level}\` on.`);
  if (schema.description !== undefined) parts.push(schema.description);
  if (schema.type === 'integer' && schema.minimum === 0) parts.push('Integer, 0 or more.');
  else if (schema.type === 'integer') parts.push('Integer.');
  else if (schema.maximum !== undefined) parts.push(`${schema.minimum} to ${schema.maximum}.`);
  else if (schema.minimum === 0) parts.push('0 or more.');
  return parts.length === 0 ? undefined : parts.join(' ');
}

function comment(text, indent) {
  return text === undefined ? '' : `${indent}/** ${text} */\n`;
}
