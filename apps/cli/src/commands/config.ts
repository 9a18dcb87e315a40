import { collectorSettings, loadSettings as loadCollectorSettings } from '@aepkit/collector';
import { describeSettings, referencePage } from '@aepkit/config';
import { loadSettings } from '@aepkit/endpoint';
import { relaySettings } from '@aepkit/relay';

import { EXIT } from '../exit-code.js';
import { print } from '../stdout.js';

/** A program that has settings. */
export type Configured = 'collector' | 'relay';

/** Says which settings are in force. What is wrong with them is thrown. */
export async function checkConfig(config: string | undefined, program: Configured = 'collector'): Promise<number> {
  const sources = { config, env: process.env };
  await print(program === 'relay' ? describeSettings(relaySettings, await loadSettings(relaySettings, sources)) : describeSettings(collectorSettings, await loadCollectorSettings(sources)));
  return EXIT.ok;
}

/** Prints the table of all settings. */
export async function printReference(program: Configured = 'collector'): Promise<number> {
  await print(referencePage(program === 'relay' ? relaySettings : collectorSettings));
  return EXIT.ok;
}
