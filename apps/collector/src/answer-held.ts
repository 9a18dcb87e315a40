import type { ServerResponse } from 'node:http';

import { json } from '@aepkit/endpoint';
import type { WireEvent } from '@aepkit/envelope';
import type { Context } from 'hono';

import type { HeldCall } from './held-call.js';
import { HOLD_HEADER, MAX_HELD_BYTES } from './hold-proof.js';

/** What came of a hook call: an answer, or the wait for one. */
export type Answered = { readonly response: Response } | { readonly accepted: number; readonly held: HeldCall };

/** For how long the shim of a call waits, in milliseconds; 0 where it does not, or the payload is too large to be kept meanwhile. */
export function holdable(c: Context): number {
  const wait = c.req.header(HOLD_HEADER) ?? '';
  const length = c.req.header('content-length') ?? '';
  if (!/^\d{1,8}$/.test(wait) || !/^\d{1,16}$/.test(length) || Number(length) > MAX_HELD_BYTES || c.req.header('content-encoding') !== undefined) return 0;
  return Number(wait);
}

/** Takes a call, and gives up its hold where there is nothing to wait for. */
export async function takeHeld(held: HeldCall | undefined, take: () => Promise<readonly WireEvent[]>): Promise<Answered> {
  try {
    const accepted = (await take()).length;
    if (held?.waits === true) return { accepted, held };
    held?.cancel();
    return { response: json({ accepted }, 202) };
  } catch (error) {
    held?.cancel();
    throw error;
  }
}

/**
 * Waits for the answer to a held call. The shim is told by an interim answer that it is worth waiting (RFC 9110 §15.2), and lets go at once
 * where none comes.
 */
export async function answerHeld(c: Context, { accepted, held }: Extract<Answered, { held: HeldCall }>): Promise<Response> {
  const { signal } = c.req.raw;
  const gone = (): void => {
    held.abandon();
  };
  if (signal.aborted) gone();
  else signal.addEventListener('abort', gone, { once: true });
  const { outgoing } = c.env as { readonly outgoing?: ServerResponse };
  outgoing?.writeProcessing();
  const answer = await held.answer;
  signal.removeEventListener('abort', gone);
  return json({ accepted, ...answer }, 200);
}
