import type { AepEvent } from '@aepkit/envelope';
import { payloadSchemas } from '@aepkit/taxonomy';

interface Members {
  readonly properties?: Readonly<Record<string, Members>>;
}

/**
 * Paths of members that the schema of the type does not list. They are legal, and count as `metadata` (AEP-0002 §5); typed by hand, such a
 * name is a slip more often than not, and what it holds is kept from nobody.
 */
export function unknownMembers({ type, data }: AepEvent): string[] {
  const schema = new Map<string, Members>(Object.entries(payloadSchemas)).get(type);
  return data === undefined || schema === undefined ? [] : below(data, schema, '$.data');
}

function below(value: unknown, { properties }: Members, path: string): string[] {
  if (properties === undefined || typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const at = /^[A-Za-z_]\w*$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return known === undefined ? [at] : below(member, known, at);
  });
}
