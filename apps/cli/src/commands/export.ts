import { once } from 'node:events';

import { endpointOf } from '../endpoint.js';
import { CliError, EXIT } from '../exit-code.js';
import { openExportFolder } from '../export-folder.js';
import { collectorPages, type Pages, storedPages, type Wanted } from '../export-source.js';
import { type FilterFlags, filterOf } from '../filter-flags.js';
import { interruptible } from '../interrupt.js';
import { counted, Progress } from '../progress.js';
import { say } from '../stdout.js';
import { plain } from '../terminal.js';
import { timeOfFlag } from '../time-flag.js';

/** Options of `aep export`. */
export interface ExportOptions extends FilterFlags {
  readonly url?: string;
  readonly data?: string;
  readonly since?: string;
  readonly until?: string;
  readonly force?: boolean;
}

/** Writes what a collector keeps, or what is in a data folder, as JSONL: a folder of logs, or one stream to standard output. */
export async function exportEvents(target: string, options: ExportOptions): Promise<number> {
  if (options.data !== undefined && options.url !== undefined) throw new CliError('give --url or --data, not both', EXIT.usage);
  if (options.force === true && target === '-') throw new CliError('--force is for a folder', EXIT.usage);
  const wanted: Wanted = {
    filter: filterOf(options),
    since: options.since === undefined ? undefined : timeOfFlag('since', options.since),
    until: options.until === undefined ? undefined : timeOfFlag('until', options.until),
  };
  return await interruptible(async (signal) => {
    const pages = options.data === undefined ? collectorPages(endpointOf(options.url), wanted, signal) : storedPages(options.data, wanted);
    return target === '-' ? await toStandardOutput(pages, signal) : await toFolder(pages, target, options.force === true, signal);
  });
}

async function toStandardOutput(pages: Pages, signal: AbortSignal): Promise<number> {
  for await (const page of guarded(pages, signal)) {
    if (page.length > 0 && !process.stdout.write(page.map(({ json }) => `${json}\n`).join(''))) await once(process.stdout, 'drain', { signal }).catch(() => undefined);
  }
  return EXIT.ok;
}

async function toFolder(pages: Pages, target: string, force: boolean, signal: AbortSignal): Promise<number> {
  const folder = await openExportFolder(target, force, (path, what) => {
    const left = what === 'partial' ? `left ${path} behind; remove it` : `was about to replace the export that is in ${path} now; move or remove it`;
    say(plain(`aep: an export that did not end ${left} unless one is running`));
  });
  const progress = new Progress();
  let events = 0;
  try {
    for await (const page of guarded(pages, signal)) {
      await folder.append(page);
      events += page.length;
      progress.show(() => counted(events, 'Event'));
    }
    progress.clear();
    const files = await folder.finish();
    say(`${counted(events, 'Event')} in ${counted(files, 'file')}`);
    return EXIT.ok;
  } catch (error) {
    progress.clear();
    await folder.discard();
    throw error;
  }
}

/** Ends in failure once the signal has fired, whatever that did to the source. */
async function* guarded(pages: Pages, signal: AbortSignal): Pages {
  const check = (): void => {
    if (signal.aborted) throw new CliError('interrupted', EXIT.interrupted);
  };
  try {
    for await (const page of pages) {
      check();
      yield page;
    }
  } catch (error) {
    check();
    throw error;
  }
  check();
}
