import { collectorSettings, loadSettings } from '@aepkit/collector';
import { describeSettings, referencePage } from '@aepkit/config';

import { EXIT } from '../exit-code.js';
import { print } from '../stdout.js';

/** Says which settings are in force. What is wrong with them is thrown. */
export async function checkConfig(config: string | undefined): Promise<number> {
  await print(describeSettings(collectorSettings, await loadSettings({ config, env: process.env })));
  return EXIT.ok;
}

/** Prints the table of all settings. */
export async function printReference(): Promise<number> {
  await print(referencePage(collectorSettings));
  return EXIT.ok;
}
