import { join } from 'node:path';

import { counterName } from './entry-name.js';
import { ignoreMissing } from './drain-lock.js';
import { nonce } from './holder.js';
import { listing } from './listing.js';
import type { ResolvedSpoolOptions } from './options.js';

/**
 * Adds to the count of lines given up. The count is in a file's name and grows by `rename`, which one process wins. With a count below 0
 * something that was counted turns out to have been delivered.
 */
export async function countDropped({ path, fileSystem }: ResolvedSpoolOptions, lines: number): Promise<void> {
  while (lines !== 0) {
    const counter = listing(await fileSystem.readdir(path)).counters.find(({ count }) => count + lines >= 0);
    if (counter === undefined) {
      if (lines < 0) return;
      await (await fileSystem.open(join(path, counterName(lines, nonce())), 'wx', 0o600)).close();
      return;
    }
    const next = join(path, counterName(counter.count + lines, nonce()));
    if (await ignoreMissing(fileSystem.rename(join(path, counter.name), next))) return;
  }
}

/** Sets the count to 0 and gives what it was. */
export async function takeDropped({ path, fileSystem }: ResolvedSpoolOptions): Promise<number> {
  let taken = 0;
  for (const { name, count } of listing(await fileSystem.readdir(path)).counters) {
    if (count > 0 && (await ignoreMissing(fileSystem.rename(join(path, name), join(path, counterName(0, nonce())))))) taken += count;
  }
  return taken;
}
