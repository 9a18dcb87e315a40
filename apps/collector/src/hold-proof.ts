import { createHmac, timingSafeEqual } from 'node:crypto';
import { basename, dirname, join } from 'node:path';

/** Header of a hook call whose shim waits for an answer: for how long, in milliseconds. */
export const HOLD_HEADER = 'aep-hold';
/** Largest payload of a call that is held, in bytes: it stays in memory meanwhile. */
export const MAX_HELD_BYTES = 1_048_576;

/** What a collector answers to a call that it has held. */
export interface HeldAnswer {
  /** What became of it. Whatever is not `answered` leaves the decision to the agent. */
  readonly held: 'answered' | 'expired' | 'released';
  /** What the hook is to print, where it was answered. */
  readonly print?: string;
  /** {@link holdProof} of `print`. */
  readonly proof?: string;
}

/**
 * Where the key of a collector's answers lies, beside the spool of its hooks: `{root}/hooks/{target}` has `{root}/hold-keys/{target}`.
 * Whoever else listens on the port of a collector that is away cannot read it, and so cannot permit anything.
 */
export function holdKeyFile(spool: string): string {
  return join(dirname(dirname(spool)), 'hold-keys', basename(spool));
}

/** Proves that a text to print comes from the collector whose key it is. @param call key of the hook call */
export function holdProof(key: string, call: string, print: string): string {
  return createHmac('sha256', key).update(`${call}\n`).update(print).digest('base64url');
}

/** What of an answer may be printed; `undefined`: nothing. @param key the one in {@link holdKeyFile} */
export function provenPrint(answer: unknown, key: string, call: string): string | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  const { held, print, proof } = answer as Partial<Record<keyof HeldAnswer, unknown>>;
  if (held !== 'answered' || typeof print !== 'string' || typeof proof !== 'string') return undefined;
  const [given, wanted] = [Buffer.from(proof), Buffer.from(holdProof(key, call, print))];
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? print : undefined;
}
