import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createId } from '@aepkit/envelope';

/** The identity of the endpoint whose data lie in a folder: made once, then kept, so that chained endpoints know it again. */
export async function endpointId(folder: string): Promise<string> {
  const file = join(folder, 'endpoint-id');
  try {
    const text = (await readFile(file, 'utf8')).trim();
    if (/^[0-9A-HJKMNP-TV-Z]{26}$/.test(text)) return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const id = createId();
  await writeFile(file, `${id}\n`, { mode: 0o600 });
  return id;
}
