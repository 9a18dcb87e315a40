import { type DataFrame } from './data-frame.js';
import { ERROR_CODE, type ErrorFrame } from './error-frame.js';
import { type Frame } from './frame.js';

/** How an exchange stands, from what the requester has seen. */
export type ExchangeOutcome =
  /** `received`: the peer's transport holds the whole request; its application may not have seen it, or refuse it yet. */
  | { readonly state: 'open'; readonly received: boolean }
  | { readonly state: 'replied'; readonly reply: DataFrame }
  /** `error` is a name of {@link ERROR_CODE}, or `unknown` for a code without one. */
  | { readonly state: 'failed'; readonly error: keyof typeof ERROR_CODE | 'unknown'; readonly frame: ErrorFrame };

/**
 * The outcome of an exchange (weida §6.3, §9.1, §9.2). An ERROR fails it whatever its code and outranks the receipt, which says
 * that the peer's transport holds the request and nothing more. The message of an ERROR is for people and decides nothing.
 *
 * @param frame what came on the reply half, if anything.
 * @param receipt whether the request was acknowledged to its end.
 */
export function exchangeOutcome(frame: Frame | undefined, receipt = false): ExchangeOutcome {
  if (frame?.kind === 'DATA') return { state: 'replied', reply: frame };
  if (frame?.kind !== 'ERROR') return { state: 'open', received: receipt };
  const name = (Object.keys(ERROR_CODE) as (keyof typeof ERROR_CODE)[]).find((key) => ERROR_CODE[key] === frame.code);
  return { state: 'failed', error: name ?? 'unknown', frame };
}

/** What to write on the reply half of an exchange that was taken and dropped without an answer; FIN follows (weida §9.4). */
export const NO_REPLY: ErrorFrame = Object.freeze({ kind: 'ERROR', code: ERROR_CODE.noReply });
