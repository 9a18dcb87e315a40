import { EndpointError } from '@aepkit/endpoint';
import { openStoredEvents, type StoredEvents } from '@aepkit/history';

import { historyFile } from './data-folder.js';

export type { StoredEvents } from '@aepkit/history';

/**
 * The Events in a data folder, whether or not a collector uses it. Nothing is made or changed.
 *
 * @throws EndpointError `data-unusable`
 */
export function openData(folder: string): StoredEvents {
  try {
    return openStoredEvents(historyFile(folder));
  } catch (error) {
    throw new EndpointError('data-unusable', `cannot read the data folder ${folder}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
