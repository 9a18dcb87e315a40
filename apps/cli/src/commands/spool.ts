import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';

import { openSpool, SpoolError, type SpoolStats } from '@aepkit/spool';
import { hasLines } from '@aepkit/spool/peek';
import { spoolRoot } from '@aepkit/spool/place';

import { endpointOf, notReached } from '../endpoint.js';
import { CliError, EXIT } from '../exit-code.js';
import { deliverSpool } from '../hook-keep.js';
import { hookTarget } from '../hook-target.js';
import { print, say } from '../stdout.js';
import { plain } from '../terminal.js';

/** How long one request of a flush may take, in milliseconds. */
const FLUSH_TIMEOUT_MS = 30_000;
/** Calls of all agents wait in one spool and go to any of the routes for hooks. */
const ANY_AGENT = 'claude-code';

/** Tells what waits in the spools of this user, target by target. */
export async function spoolStatus({ json }: { readonly json?: boolean }): Promise<number> {
  const root = spoolRoot({ platform: process.platform, env: process.env, home: homedir() });
  if (root === undefined) {
    say('the spool is turned off: AEP_SPOOL=off');
    return EXIT.ok;
  }
  const names = await readdir(join(root, 'hooks')).catch(() => []);
  for (const target of names.sort()) {
    const stats = await statsOf(join(root, 'hooks', target)).catch((error: unknown) => {
      if (!(error instanceof SpoolError)) throw error;
      say(plain(`aep: ${error.message}`));
    });
    if (stats === undefined) continue;
    await print(json === true ? JSON.stringify({ target, ...stats }) : line(target, stats));
  }
  if (names.length === 0) say(`nothing has waited in ${plain(root)}`);
  return EXIT.ok;
}

async function statsOf(path: string): Promise<SpoolStats> {
  const spool = await openSpool({ path });
  try {
    return await spool.stats();
  } finally {
    await spool.close();
  }
}

function line(target: string, { lines, bytes, dropped }: SpoolStats): string {
  return `${plain(target)}  ${lines} waiting  ${bytes} bytes  ${dropped} dropped`;
}

/** Delivers what waits for one endpoint now. */
export async function flushSpool(options: { readonly url?: string }): Promise<number> {
  const { url } = endpointOf(options.url);
  const target = hookTarget(ANY_AGENT, { ...process.env, AEP_URL: url });
  if (target.spool === undefined) throw new CliError('the spool is turned off: AEP_SPOOL=off', EXIT.usage);
  if (!hasLines(target.spool)) {
    say(`nothing waits for ${plain(url)}`);
    return EXIT.ok;
  }
  const spool = await openSpool({ path: target.spool });
  try {
    const { delivered, busy } = await deliverSpool(spool, target, { timeoutMs: FLUSH_TIMEOUT_MS }).catch((error: unknown) => {
      throw error instanceof Error && 'syscall' in error ? new CliError(notReached(url, error.message)) : error;
    });
    if (busy) throw new CliError(`another process delivers ${basename(target.spool)} now`);
    say(`${delivered} delivered to ${plain(url)}`);
    return EXIT.ok;
  } finally {
    await spool.close();
  }
}
