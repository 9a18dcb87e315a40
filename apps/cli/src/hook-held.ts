import { holdKeyFile, provenPrint } from '@aepkit/collector/hold-proof';
import { readOwnerToken } from '@aepkit/endpoint/owner-token';

import type { HookTarget } from './hook-target.js';

/**
 * Prints for the agent what a collector answers to a held call. Only what the collector of this user can prove: somebody else who listens on
 * its port while it is away must not permit anything.
 */
export async function printAnswer({ spool }: Pick<HookTarget, 'spool'>, call: string, said: string, say: (text: string) => Promise<void>): Promise<void> {
  let answer: unknown;
  try {
    answer = JSON.parse(said);
  } catch {
    await say('the answer to a held call is not whole');
    return;
  }
  const { held } = answer as { readonly held?: unknown };
  if (held !== 'answered') {
    await say(`nobody has answered: ${String(held)}`);
    return;
  }
  const key = spool === undefined ? undefined : await readOwnerToken(holdKeyFile(spool));
  const print = key === undefined ? undefined : provenPrint(answer, key.token, call);
  if (print === undefined) await say(key === undefined ? 'the answer is not taken: there is no key of this collector' : 'the answer is not taken: it is not proven');
  else process.stdout.write(`${print}\n`);
}
