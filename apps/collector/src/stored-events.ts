import { openStoredEvents, type StoredEvents } from '@aepkit/history';

import { historyFile } from './data-folder.js';
import { CollectorError } from './errors.js';
import { reason } from './load-settings.js';

export type { StoredEvents } from '@aepkit/history';

/**
 * The Events in a data folder, whether or not a collector uses it. Nothing is made or changed.
 *
 * @throws {@link CollectorError} `data-unusable`
 */
export function openData(folder: string): StoredEvents {
  try {
    return openStoredEvents(historyFile(folder));
  } catch (error) {
    throw new CollectorError('data-unusable', `cannot read the data folder ${folder}: ${reason(error)}`, { cause: error });
  }
}
