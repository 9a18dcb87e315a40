import type { CommandOutcome } from '@aepkit/control';

import { exactJson } from '../exact-json.js';
import { EXIT } from '../exit-code.js';
import { plain } from '../terminal.js';

/** The exit code for what became of a command. */
export function outcomeCode({ type }: CommandOutcome): number {
  return type === 'accepted' ? EXIT.ok : type === 'timeout' ? EXIT.timeout : EXIT.refused;
}

/** What became of a command, in words. */
export function outcomeText(outcome: CommandOutcome): string {
  switch (outcome.type) {
    case 'accepted':
      return 'accepted';
    case 'rejected':
      return plain(`rejected by the agent: ${outcome.reason ?? 'it does not say why'}${outcome.detail === undefined ? '' : `: ${outcome.detail}`}`);
    case 'refused':
      return plain(`refused: ${outcome.code}${HINTS[outcome.code] ?? ''}${outcome.detail === undefined || outcome.detail === '' ? '' : ` (${outcome.detail})`}`);
    case 'timeout':
      return 'no answer in time; it may still be carried out';
  }
}

/** What the codes mean to somebody at a terminal (AEP-0004 §4.2). */
const HINTS: Readonly<Record<string, string | undefined>> = {
  unauthorized: ': nobody may command without a token of scope control (AEP_TOKEN, --token-file, or the one of a collector of your own on this machine)',
  unsupported: ': the agent does not take this command',
  ambiguous: ': more than one connection says that the session is its own',
  'no-route': ': no agent that is connected has this session',
};

/** What became of a command, for programs. */
export function outcomeJson(id: string, session: string, outcome: CommandOutcome): string {
  const { type, ...rest } = outcome;
  return exactJson({ command: id, session, result: type, ...rest });
}
