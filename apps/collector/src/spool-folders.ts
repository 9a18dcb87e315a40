import { homedir } from 'node:os';
import { join } from 'node:path';

import { spoolRoot, targetName } from '@aepkit/spool/place';

/** Name of the folder with the spools of hooks, under the root of all spools of a user. */
export const HOOK_SPOOLS = 'hooks';

/** How a collector is reached. */
export interface Reachable {
  /** `--spool`: a folder, `off`, or nothing for that of the user. */
  readonly spool: string | undefined;
  readonly url: string;
  readonly publicUrls: readonly string[];
}

/** The folders in which hooks of this user leave calls for this collector: one for this machine, one for each other name it has. */
export function spoolFolders({ spool, url, publicUrls }: Reachable): string[] {
  const root = spoolRoot({ platform: process.platform, env: spool === undefined ? { ...process.env, AEP_SPOOL: undefined } : { AEP_SPOOL: spool }, home: homedir() });
  if (root === undefined) return [];
  const own = new URL(url);
  const local = new URL(own);
  // A collector that listens on every address is reached from here by the names of this machine.
  local.hostname = 'localhost';
  const names = new Set([local, own, ...publicUrls.map((text) => new URL(text))].map(targetName));
  return [...names].map((name) => join(root, HOOK_SPOOLS, name));
}
