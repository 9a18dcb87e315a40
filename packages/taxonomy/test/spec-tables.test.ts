import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { payloadSchemas, registry, type PayloadSchema } from '../src/index.js';
import { requiredMembers } from '../src/required-members.js';

// The tables of our statement of AEP-0002 are the independent half: the code must say the same, both ways.
const spec = readFileSync(new URL('../../../spec/aep-0002-taxonomy.md', import.meta.url), 'utf8');
const cells = (line: string): string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
const code = (cell: string): string => /`([^`]+)`/.exec(cell)![1]!;

interface Row {
  readonly path: string;
  readonly kind: string;
  readonly required: boolean;
  readonly level: string;
  readonly degraded: boolean;
}

function specRows(): Map<string, Row[]> {
  const tables = new Map<string, Row[]>();
  const part = spec.slice(spec.indexOf('## 8. Payload tables'), spec.indexOf('### 8.5 Reserved types'));
  for (const section of part.split('\n#### ').slice(1)) {
    const rows = section
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => {
        const [path, kind, required, level] = cells(line) as [string, string, string, string];
        return { path: code(path), kind: kind.replaceAll('`', '').replaceAll('\\', ''), required: required.includes('yes'), level: level.replace(/[*]/g, ''), degraded: level === 'metadata*' };
      });
    tables.set(code(section), rows);
  }
  return tables;
}

function kindOf(schema: PayloadSchema): string {
  if (schema.enum !== undefined) return `enum: ${schema.enum.join(' | ')}`;
  if (schema.type === 'array') return `array of ${kindOf(schema.items!)}`;
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  const bounds = schema.minimum === undefined ? '' : ` ≥ ${schema.minimum}${schema.maximum === undefined ? '' : `, ≤ ${schema.maximum}`}`;
  return `${schema.type as string}${bounds}${schema.format === undefined ? '' : ` (${schema.format})`}`;
}

function ourRows(schema: PayloadSchema, prefix = ''): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const path = prefix + name;
    const row = { path, kind: kindOf(member), required: schema.required?.includes(name) ?? false, level: member['x-aep-capture']!, degraded: member.$comment !== undefined };
    return [row, ...ourRows(member, `${path}.`), ...(member.items === undefined ? [] : ourRows(member.items, `${path}[].`))];
  });
}

describe('the registry', () => {
  const rows = spec
    .slice(spec.indexOf('## 5. Type index'), spec.indexOf('## 6. Capture gating'))
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map(cells);

  it('has the types of the specification with their status, scope, schema and whether they are experimental [T-001]', () => {
    expect(rows).toHaveLength(46);
    const stated = rows.map(([type, status, experimental, scope, , schema]) => ({
      type: code(type!),
      status,
      experimental: experimental === 'yes',
      scope,
      hasSchema: schema === 'yes',
    }));
    const ours = registry.map(({ type, status, experimental, scope, hasSchema }) => ({ type, status, experimental, scope, hasSchema }));
    expect(ours).toEqual(expect.arrayContaining(stated));
    expect(ours).toHaveLength(stated.length);
  });
});

describe('the payload schemas', () => {
  const tables = specRows();

  it('are there for the types that the specification has a schema for', () => {
    expect(Object.keys(payloadSchemas).sort()).toEqual([...tables.keys()].sort());
    expect(tables.size).toBe(44);
  });

  it.each([...tables])('state every member of %s, its type, whether it is required, and its level', (type, stated) => {
    const ours = ourRows(payloadSchemas[type as keyof typeof payloadSchemas]);
    const byPath = (a: Row, b: Row): number => (a.path < b.path ? -1 : 1);
    expect([...ours].sort(byPath)).toEqual([...stated].sort(byPath));
  });

  it('close no object, since every payload may have more members [T-126]', () => {
    expect(JSON.stringify(payloadSchemas)).not.toMatch(/additionalProperties|unevaluated|propertyNames/);
  });

  it('leave the target of an assessment to the envelope [T-160]', () => {
    const names = Object.entries(payloadSchemas)
      .filter(([type]) => type.startsWith('assessment.'))
      .flatMap(([, schema]) => ourRows(schema).map(({ path }) => path));
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => /target|session|run|step|subject|cause|(?:event|call|message|response)_?id/.test(name))).toEqual([]);
  });

  it('annotate every required member as metadata, so that pruning never breaks a payload', () => {
    const rows = Object.values(payloadSchemas).flatMap((schema) => ourRows(schema));
    expect(rows.filter((row) => row.required && row.level !== 'metadata')).toEqual([]);
  });

  it('are what the list of types with required members was taken from', () => {
    const required = Object.entries(payloadSchemas).filter(([, schema]) => schema.required !== undefined).map(([type]) => type);
    expect([...requiredMembers].sort()).toEqual(required.sort());
  });
});
