import { hasLines } from '@aepkit/spool/peek';

import { type Environment, type HookTarget, hookTarget } from './hook-target.js';
import { HELD_STATUS, HOLD_SLACK_MS, type HookAnswer, HookSettingError, isFinal, isTaken, postHook } from './hook-post.js';

/** Largest hook payload that is passed on, in bytes. */
export const MAX_HOOK_BYTES = 16_777_216;
const TOO_LARGE = 413;
/** How long the disk may take for a call that has to be kept, in milliseconds. */
export const MAX_DISK_MS = 5000;
/** How long the shim waits for its standard input, in milliseconds. */
export const MAX_INPUT_MS = 10_000;

/** How a hook call is passed. */
export interface HookShimOptions {
  /** Default: that of the process. */
  readonly env?: Environment;
  /** For how long the agent may wait for somebody's answer to what this call asks, in milliseconds. Default 0: not at all. */
  readonly holdMs?: number;
  /** Whether there are words on the command line that say nothing; the call is passed nevertheless. */
  readonly misread?: boolean;
}

/**
 * Passes one hook call from standard input to the collector. Whatever happens, it ends with exit code 0, soon, and without a word
 * on standard output: a collector that is away must not stop an agent. What does not arrive waits in a spool, read down to its ceiling.
 * `AEP_HOOK_DEBUG=1` says on standard error what went wrong.
 *
 * With `holdMs` a call that asks something waits for its answer where the collector holds it, and that is printed; in any other case the agent
 * asks by itself.
 */
export async function runHookShim(agent: string, { env = process.env, holdMs = 0, misread = false }: HookShimOptions = {}): Promise<void> {
  const debug = env.AEP_HOOK_DEBUG === '1';
  const say = async (text: string): Promise<void> => {
    if (!debug) return;
    const { plain } = await import('./terminal.js');
    process.stderr.write(`aep hook: ${plain(text)}\n`);
  };
  try {
    if (misread) await say('the only option is --hold SECONDS, at most 9999');
    const target = hookTarget(agent, env);
    const body = await readInput(process.stdin);
    const last = setTimeout(giveUp, 2 * target.timeoutMs + MAX_DISK_MS + (holdMs === 0 ? 0 : holdMs + HOLD_SLACK_MS));
    try {
      await pass({ agent, target, body, debug, say, holdMs });
    } finally {
      clearTimeout(last);
    }
  } catch (error) {
    await say(error instanceof Error ? error.message : String(error)).catch(() => undefined);
  }
  process.exitCode = 0;
}

/** A disk that hangs must not hang the agent, and `process.exit` waits for the threads that wait for it. */
function giveUp(): void {
  process.kill(process.pid, 'SIGKILL');
}

interface Call {
  readonly agent: string;
  readonly target: HookTarget;
  readonly body: Buffer;
  readonly debug: boolean;
  readonly say: (text: string) => Promise<void>;
  readonly holdMs: number;
}

async function pass({ agent, target, body, debug, say, holdMs }: Call): Promise<void> {
  const key = mintKey();
  // Behind calls that wait there is only the end of the line. And what leaves this machine, or has a lower ceiling, is read here.
  if (target.local && !target.readHere && !(target.spool !== undefined && hasLines(target.spool))) {
    let answer: HookAnswer | undefined;
    try {
      // Without a spool there is no place with the key that an answer is proven by.
      const held = holdMs > 0 && target.spool !== undefined;
      answer = await postHook(target, { type: 'application/json', key, body, ...(held ? { holdMs } : {}) }, target.timeoutMs, debug);
      if (isTaken(answer)) {
        if (held && answer.status === HELD_STATUS) await (await import('./hook-held.js')).printAnswer(target, key, answer.said, say);
        return;
      }
      await say(`${target.url.host} answered ${answer.status}: ${answer.said}`);
      // What is read of a payload that is too large is small.
      if (isFinal(answer) && answer.status !== TOO_LARGE) return;
    } catch (error) {
      if (error instanceof HookSettingError) throw error;
      await say(error instanceof Error ? error.message : String(error));
    }
    const { keepCall } = await import('./hook-keep.js');
    await keepCall(agent, target, body, key, { deliver: answer?.status === TOO_LARGE, say });
    return;
  }
  const { keepCall } = await import('./hook-keep.js');
  await keepCall(agent, target, body, key, { deliver: true, say, holdMs });
}

async function readInput(input: NodeJS.ReadStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => input.destroy(new Error(`standard input did not end within ${MAX_INPUT_MS} ms`)), MAX_INPUT_MS);
  try {
    for await (const chunk of input) {
      const bytes = chunk as Buffer;
      size += bytes.length;
      if (size > MAX_HOOK_BYTES) throw new Error(`the payload has more than ${MAX_HOOK_BYTES} bytes`);
      chunks.push(bytes);
    }
  } finally {
    // It would keep the agent waiting.
    clearTimeout(timer);
  }
  return Buffer.concat(chunks, size);
}

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A ULID that names this call. It is made here, since loading what makes the others takes longer than all of the rest. */
export function mintKey(now: number = Date.now(), random: () => number = Math.random): string {
  let time = '';
  for (let left = now, at = 0; at < 10; at += 1, left = Math.floor(left / 32)) time = (DIGITS[left % 32] ?? '0') + time;
  return time + Array.from({ length: 16 }, () => DIGITS[Math.floor(random() * 32)]).join('');
}
