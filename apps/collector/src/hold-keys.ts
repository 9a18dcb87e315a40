import { dirname } from 'node:path';

import { removeOwnerToken, writeOwnerToken } from '@aepkit/endpoint/owner-token';

import { holdKeyFile } from './hold-proof.js';
import { makeFolder } from './make-folder.js';

/** The files with the key of this collector's answers to held calls, while it runs. */
export interface KeptHoldKeys {
  remove(): Promise<void>;
}

/** Writes the key where shims of this user look for it: a file for each name of this collector. Rejects with the error of the file system. */
export async function keepHoldKeys({ spools, key, url }: { readonly spools: readonly string[]; readonly key: string; readonly url: string }): Promise<KeptHoldKeys> {
  const files = spools.map(holdKeyFile);
  for (const file of files) {
    await makeFolder(dirname(file));
    await writeOwnerToken(file, { url, token: key, pid: process.pid });
  }
  return {
    async remove() {
      await Promise.all(files.map((file) => removeOwnerToken(file, key)));
    },
  };
}
