import { SEVERITIES } from '@aepkit/envelope';

import { CliError, EXIT } from './exit-code.js';

/** The level that `--severity` names, or a refusal that lists them all. */
export function severityFlag(text: string): string {
  if (!SEVERITIES.some((level) => level === text)) throw new CliError(`--severity is one of ${SEVERITIES.join(', ')}`, EXIT.usage);
  return text;
}
