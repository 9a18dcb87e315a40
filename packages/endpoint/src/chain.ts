import type { JsonObject } from '@aepkit/envelope';

/** Member of `capabilities.experimental` in which endpoints of aepkit say where they stand in a chain. */
export const CHAIN_MEMBER = 'aepkit.chain';
/** Most endpoints that are read from such a statement; a longer one cannot be followed. */
export const MAX_CHAIN = 1000;

/** Where an endpoint stands in a chain (O-98). */
export interface Chain {
  /** Identity of the endpoint. */
  readonly id: string;
  /** Identities of all endpoints that it draws from, directly or not. */
  readonly from: readonly string[];
}

/** The statement of an endpoint about itself, for `capabilities.experimental`. */
export function chainFacts({ id, from }: Chain): JsonObject {
  return { [CHAIN_MEMBER]: { id, from: [...from] } };
}

/**
 * What an endpoint states of its place, out of its `capabilities`. `undefined`: nothing, so that it is not known whether a link to it closes
 * a ring; `unreadable`: something that is no such statement, or too long.
 */
export function readChain(capabilities: unknown): Chain | 'unreadable' | undefined {
  const experimental = member(capabilities, 'experimental');
  const chain = member(experimental, CHAIN_MEMBER);
  if (chain === undefined) return undefined;
  const id = member(chain, 'id');
  const from = member(chain, 'from');
  if (!isId(id) || !Array.isArray(from) || from.length > MAX_CHAIN || !from.every(isId)) return 'unreadable';
  return { id, from };
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= 256;
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}
