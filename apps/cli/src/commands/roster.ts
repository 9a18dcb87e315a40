import type { SocketClient } from '@aepkit/binding-ws/client';

import { type ControlFlags, controlEndpoint } from '../control/control-endpoint.js';
import { openLink } from '../control/control-link.js';
import { member } from '../control/request-text.js';
import { exactJson } from '../exact-json.js';
import { EXIT } from '../exit-code.js';
import { print, say } from '../stdout.js';
import { painter, plain } from '../terminal.js';

type RosterEntry = Awaited<ReturnType<SocketClient['roster']>>[number];

/** Lists the sessions that a connected agent says are its own, and what it takes. */
export async function roster(flags: ControlFlags & { readonly json?: boolean }): Promise<number> {
  const endpoint = await controlEndpoint(flags);
  const link = await openLink(endpoint, { filter: { type: 'control.accepted' } });
  try {
    const entries = await link.client.roster();
    const paint = painter(process.stdout);
    if (flags.json !== true && process.stdout.isTTY && entries.length > 0) await print(paint.dim('session  agent  instance  takes'));
    for (const entry of entries) await print(flags.json === true ? exactJson(entry) : line(entry));
    if (entries.length === 0) say('no agent that can be reached has a session');
    return EXIT.ok;
  } finally {
    await link.close();
  }
}

function line({ session, agent, instance, control }: RosterEntry): string {
  const accepts = member(control, 'accepts');
  const takes = Array.isArray(accepts) ? accepts.filter((type) => typeof type === 'string').map((type) => type.replace(/^control\./, '')) : [];
  return [session, agent ?? '-', instance ?? '-', takes.length === 0 ? 'nothing' : takes.join(', ')].map(plain).join('  ');
}
