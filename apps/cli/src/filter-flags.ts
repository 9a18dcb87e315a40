import type { JsonObject } from '@aepkit/envelope';

import { CliError, EXIT } from './exit-code.js';
import { severityFlag } from './severity-flag.js';

/** The filter flags that every reading command shares. */
export interface FilterFlags {
  readonly type?: readonly string[];
  readonly session?: readonly string[];
  readonly agent?: readonly string[];
  readonly source?: readonly string[];
  readonly severity?: string;
  readonly filter?: string;
}

/**
 * The attr-match filter of the flags, as JSON text. `--filter` goes out as it was written unless other flags add to it; it is the
 * collector that judges it.
 */
export function filterOf(flags: FilterFlags): string | undefined {
  const clauses: Record<string, JsonObject[string]> = {};
  for (const key of ['type', 'session', 'agent', 'source'] as const) {
    const values = flags[key];
    if (values !== undefined) clauses[key] = values.length === 1 ? (values[0] ?? '') : [...values];
  }
  if (flags.severity !== undefined) clauses.severity = { gte: severityFlag(flags.severity) };
  if (flags.filter === undefined) return Object.keys(clauses).length === 0 ? undefined : JSON.stringify(clauses);
  if (Object.keys(clauses).length === 0) return flags.filter;
  const base = parseObject(flags.filter);
  for (const key of Object.keys(clauses)) {
    if (Object.hasOwn(base, key)) throw new CliError(`--filter and --${key} both say something about ${key}`, EXIT.usage);
  }
  return JSON.stringify({ ...base, ...clauses });
}

function parseObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  } catch {
    // Falls through to the same refusal.
  }
  throw new CliError('--filter is not a JSON object', EXIT.usage);
}
