import { MAX_INPUT_MS } from './hook-shim.js';

/**
 * Ends a hook call that goes nowhere, with exit code 0 and without a word: agents take what a hook prints for an answer, and 2 for "block this
 * call". What the agent writes is read, so that it can write it. `AEP_HOOK_DEBUG=1` says the reason on standard error.
 */
export async function passNothing(reason: string): Promise<void> {
  if (process.env.AEP_HOOK_DEBUG === '1') process.stderr.write(`aep hook: ${reason}\n`);
  process.exitCode = 0;
  if (process.stdin.isTTY) return;
  const timer = setTimeout(() => process.stdin.destroy(), MAX_INPUT_MS);
  await new Promise<void>((resolve) => process.stdin.on('error', () => undefined).on('close', resolve).resume());
  clearTimeout(timer);
}
