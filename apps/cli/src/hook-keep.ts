import { type AdapterOptions, isExpendable } from '@aepkit/adapter-kit';
import { adapterOf } from '@aepkit/collector/adapters';
import { captureOptions, type CaptureSettings, CaptureSettingError } from '@aepkit/collector/capture-options';
import { type DrainOutcome, openSpool, type Spool } from '@aepkit/spool';
import { hasLines } from '@aepkit/spool/peek';

import { HookSettingError, isFinal, isTaken, postHook } from './hook-post.js';
import type { HookTarget } from './hook-target.js';

/** Records of one request. */
const BATCH_LINES = 200;
/** Too little time for another request, in milliseconds. */
const LEAST_MS = 20;

/** How a call is kept. */
export interface KeepOptions {
  /** Whether the endpoint may be there, so that delivering is worth a try. */
  readonly deliver: boolean;
  /** For how long a call that asks something may be held, in milliseconds. Default 0: not at all. */
  readonly holdMs?: number;
  readonly say: (text: string) => Promise<void>;
}

/**
 * Reads a call down to its ceiling and sends the record, or, where that cannot be or others wait ahead of it, keeps it in the spool. A
 * payload itself goes nowhere from here.
 */
export async function keepCall(agent: string, target: HookTarget, body: Buffer, key: string, options: KeepOptions): Promise<void> {
  const { say, holdMs = 0 } = options;
  let { deliver } = options;
  const definition = await adapterOf(agent);
  if (definition === undefined) throw new Error(`there is no adapter of ${agent}`);
  const adapter = definition.create({ host: 'localhost', ...(await optionsOf(target.capture, say)) });
  const payload: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  if (holdMs > 0 && deliver && definition.question(payload) !== undefined && !(target.spool !== undefined && hasLines(target.spool))) {
    const { holdRecord } = await import('./hook-held.js');
    if (await holdRecord({ target, definition, adapter, payload, key, holdMs, say })) return;
  }
  const record = adapter.read(payload, { key });
  const line = { text: JSON.stringify(record), expendable: isExpendable(record) };
  const deadline = Date.now() + target.timeoutMs;
  if (deliver && !(target.spool !== undefined && hasLines(target.spool))) {
    try {
      const answer = await postHook(target, { type: 'application/x-ndjson', body: Buffer.from(`${line.text}\n`) }, target.timeoutMs, true);
      if (isTaken(answer)) return;
      await say(`${target.url.host} answered ${answer.status}: ${answer.said}`);
      if (isFinal(answer)) return;
    } catch (error) {
      if (error instanceof HookSettingError) throw error;
      await say(error instanceof Error ? error.message : String(error));
    }
    deliver = false;
  }
  if (target.spool === undefined) {
    await say('with AEP_SPOOL=off nothing waits: this call is lost');
    return;
  }
  const spool = await openSpool({ path: target.spool, maxBytes: target.spoolBytes });
  const { dropped } = await spool.append([line]);
  if (dropped > 0) await say('the spool is full');
  if (!deliver) await say(`the call waits in ${target.spool}; aep spool shows what does`);
  if (deliver) await deliverSpool(spool, target, { timeoutMs: target.timeoutMs, deadline });
}

/** What is wrong in the environment must not show more, and is no reason to lose a call. */
async function optionsOf(settings: CaptureSettings, say: KeepOptions['say']): Promise<Partial<AdapterOptions>> {
  try {
    return captureOptions(settings);
  } catch (error) {
    if (!(error instanceof CaptureSettingError)) throw error;
    await say(error.message);
    return { ceiling: 'none' };
  }
}

/** How a spool is delivered. */
export interface DeliverOptions {
  /** For one request. */
  readonly timeoutMs: number;
  /** When no other request is to begin, in milliseconds since the epoch. Default: never. */
  readonly deadline?: number;
}

/**
 * Delivers what waits in the spool. Only what was taken is removed: a spool waits through a wrong token as it waits through an absent
 * collector.
 */
export async function deliverSpool(spool: Spool, target: HookTarget, { timeoutMs, deadline = Infinity }: DeliverOptions): Promise<DrainOutcome> {
  const deliver = (maxLines: number, over: () => boolean): Promise<DrainOutcome> => {
    const stop = new AbortController();
    return spool.drain(
      async (lines) => {
        const body = Buffer.from(`${lines.join('\n')}\n`);
        const answer = await postHook(target, { type: 'application/x-ndjson', body }, Math.min(timeoutMs, Math.max(LEAST_MS, deadline - Date.now())), true);
        if (!isTaken(answer)) throw new Error(`${target.url.host} answered ${answer.status}: ${answer.said}`);
        if (over()) stop.abort();
      },
      { maxLines, signal: stop.signal },
    );
  };
  const late = (): boolean => deadline - Date.now() < LEAST_MS;
  // One line tells whether anybody is there, before the others are read from the disk.
  const first = await deliver(1, () => true);
  if (!first.left || first.busy || late()) return first;
  const rest = await deliver(BATCH_LINES, late);
  return { ...rest, delivered: first.delivered + rest.delivered };
}
