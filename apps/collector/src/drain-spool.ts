import { setTimeout as sleep } from 'node:timers/promises';

import type { Principal } from '@aepkit/access';
import type { EndpointLog } from '@aepkit/endpoint';
import { openSpool, type Spool } from '@aepkit/spool';
import { hasLines } from '@aepkit/spool/peek';

import type { HookIntake } from './hook-intake.js';

/** How often a spool is looked at, in milliseconds. */
export const DEFAULT_SPOOL_POLL_MS = 1000;
/** How often a direct call looks whether another drainer is done, and how long it waits in between. */
const MAX_AHEAD_TRIES = 50;
const AHEAD_STEP_MS = 20;

type Pass = 'done' | 'busy' | 'failed';

/** Whoever can write into the spools of this user is this user. */
const SPOOL: Principal = { name: 'spool', scopes: new Set(['emit'] as const), authenticated: true };

/** What {@link drainSpool} works on. */
export interface SpoolDrainParts {
  /** Folder of the spool; nothing is made where there is none. */
  readonly path: string;
  readonly intake: Pick<HookIntake, 'takeRecords'>;
  readonly log: EndpointLog;
  /** Default 1,000. */
  readonly pollMs?: number;
}

/** A spool that is drained while the collector runs. */
export interface SpoolDrain {
  /** Settles when what waits now is delivered, or cannot be for the moment. For calls that must not overtake. */
  ahead(): Promise<void>;
  /** Lets the delivery that runs end, and no other begin. */
  close(): Promise<void>;
}

/**
 * Drains the spool that hooks leave calls in when no collector answers: at once, and whenever lines appear. One that cannot be
 * delivered stays and is tried again; one that is no record is logged and given up, since it would be in the way for ever.
 */
export function drainSpool({ path, intake, log, pollMs = DEFAULT_SPOOL_POLL_MS }: SpoolDrainParts): SpoolDrain {
  let spool: Promise<Spool> | undefined;
  let running: Promise<Pass> | undefined;
  let closed = false;
  let troubled = false;

  const deliver = async (lines: readonly string[]): Promise<void> => {
    const { events, known, refused } = await intake.takeRecords(lines.map(parse), SPOOL);
    for (const { index, error } of refused) log.warn({ spool: path, reason: error.message, code: error.code, line: index }, 'a line of the spool was no call and is given up');
    log.info({ spool: path, calls: lines.length - refused.length - known, known, events }, 'calls that had waited were taken');
  };

  const drainOnce = async (): Promise<Pass> => {
    try {
      const open = await (spool ??= openSpool({ path }));
      const { busy } = await open.drain(deliver);
      if (busy) return 'busy';
      const dropped = await open.takeDropped();
      if (dropped > 0) log.warn({ spool: path, dropped }, 'calls were given up, since the spool was full');
      troubled = false;
      return 'done';
    } catch (error) {
      spool = undefined;
      // Once, not every second.
      if (!troubled && !closed) log.error({ spool: path, err: error }, 'the spool cannot be drained; it is tried again');
      troubled = true;
      return 'failed';
    }
  };

  const pass = (): Promise<Pass> => {
    if (closed || !hasLines(path)) return Promise.resolve('done');
    running ??= drainOnce().finally(() => (running = undefined));
    return running;
  };

  const timer = setInterval(() => void pass(), pollMs);
  timer.unref();
  void pass();

  return {
    async ahead() {
      // A pass that was about to end has not seen the latest lines.
      for (let tries = 0; tries < MAX_AHEAD_TRIES && !closed && hasLines(path); tries += 1) {
        const outcome = await pass();
        if (outcome === 'failed') return;
        if (outcome === 'busy') await sleep(AHEAD_STEP_MS);
      }
    },
    async close() {
      closed = true;
      clearInterval(timer);
      const open = await spool?.catch(() => undefined);
      await open?.close();
      await running;
    },
  };
}

/** A line that is no JSON is no record either, and refused as one. */
function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
