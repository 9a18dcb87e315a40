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

/** The folder of all spools of this user where no other one is configured. */
export function defaultSpoolFolder(): string | undefined {
  return spoolRoot({ ...here(), env: { ...process.env, AEP_SPOOL: undefined } });
}

function here(): { readonly platform: NodeJS.Platform; readonly home: string } {
  return { platform: process.platform, home: homedir() };
}

/** The folders in which hooks of this user leave calls for this collector: one for this machine, one for each other name it has. */
export function spoolFolders({ spool, url, publicUrls }: Reachable): string[] {
  const root = spool === undefined ? defaultSpoolFolder() : spoolRoot({ ...here(), env: { ...process.env, AEP_SPOOL: spool } });
  if (root === undefined) return [];
  const own = new URL(url);
  const local = new URL(own);
  // A collector that listens on every address is reached from here by the names of this machine.
  local.hostname = 'localhost';
  const names = new Set([local, own, ...publicUrls.map((text) => new URL(text))].map(targetName));
  return [...names].map((name) => join(root, HOOK_SPOOLS, name));
}
