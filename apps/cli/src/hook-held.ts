import type { AdapterDefinition, Decision, HookAdapter } from '@aepkit/adapter-kit';
import { holdKeyFile, provenPrint } from '@aepkit/collector/hold-proof';
import { readOwnerToken } from '@aepkit/endpoint/owner-token';

import { HELD_STATUS, HookSettingError, isTaken, postHook } from './hook-post.js';
import type { HookTarget } from './hook-target.js';

type Say = (text: string) => Promise<void>;

/** Whether an answer of this endpoint could be told from that of somebody else. */
export function canHold({ local, spool, url }: Pick<HookTarget, 'local' | 'spool' | 'url'>): boolean {
  return local ? spool !== undefined : url.protocol === 'https:';
}

/**
 * The text of an answer to a held call; undefined where nobody answered, or where it is not proven. On this machine the collector of this user
 * has to prove it: somebody else who listens on its port while it is away must not permit anything. Elsewhere the certificate has.
 */
export async function answerText({ spool, local, url }: HookTarget, call: string, said: string, say: Say): Promise<string | undefined> {
  let answer: unknown;
  try {
    answer = JSON.parse(said);
  } catch {
    await say('the answer to a held call is not whole');
    return undefined;
  }
  const { held, print } = (answer ?? {}) as { readonly held?: unknown; readonly print?: unknown };
  if (held !== 'answered') {
    await say(`nobody has answered: ${String(held)}`);
    return undefined;
  }
  if (!local) return url.protocol === 'https:' && typeof print === 'string' ? print : undefined;
  const key = spool === undefined ? undefined : await readOwnerToken(holdKeyFile(spool));
  const proven = key === undefined ? undefined : provenPrint(answer, key.token, call);
  if (proven === undefined) await say(key === undefined ? 'the answer is not taken: there is no key of this collector' : 'the answer is not taken: it is not proven');
  return proven;
}

/** Prints for the agent what a call that was held as it came is answered. */
export async function printAnswer(target: HookTarget, call: string, said: string, say: Say): Promise<void> {
  const text = await answerText(target, call, said, say);
  if (text !== undefined) process.stdout.write(`${text}\n`);
}

/** A call that was read here. */
export interface ReadCall {
  readonly target: HookTarget;
  readonly definition: AdapterDefinition;
  readonly adapter: HookAdapter;
  readonly payload: unknown;
  readonly key: string;
  readonly holdMs: number;
  readonly say: Say;
}

/**
 * Sends the record of a call that asks something, waits for the decision and prints the reply. `false`: it is not held, and has to be sent
 * as one that is not.
 */
export async function holdRecord({ target, definition, adapter, payload, key, holdMs, say }: ReadCall): Promise<boolean> {
  if (!canHold(target)) return false;
  const record = adapter.read(payload, { key, held: true, expiresAt: Date.now() + holdMs });
  const body = Buffer.from(`${JSON.stringify(record)}\n`);
  try {
    const answer = await postHook(target, { type: 'application/x-ndjson', key, body, holdMs }, target.timeoutMs, true);
    if (!isTaken(answer)) {
      await say(`${target.url.host} answered ${answer.status}: ${answer.said}`);
      return false;
    }
    if (answer.status !== HELD_STATUS) return true;
    const decision = decisionOf(await answerText(target, key, answer.said, say));
    if (decision !== undefined) process.stdout.write(`${definition.reply(payload, decision)}\n`);
    return true;
  } catch (error) {
    if (error instanceof HookSettingError) throw error;
    await say(error instanceof Error ? error.message : String(error));
    return false;
  }
}

/** Only the very words decide anything. */
function decisionOf(text: string | undefined): Decision | undefined {
  if (text === undefined) return undefined;
  const { behavior, message } = JSON.parse(text) as { readonly behavior?: unknown; readonly message?: unknown };
  if (behavior !== 'allow' && behavior !== 'deny') return undefined;
  return { behavior, ...(typeof message === 'string' ? { message } : {}) };
}
