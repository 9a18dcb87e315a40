import { connectSocket, type SocketClient, type SocketStatus, type SocketSubscription } from '@aepkit/binding-ws/client';
import { ackWindowOf, type CommandOutcome, ControlError, createSender, type Observation, type Sender, type SentCommand } from '@aepkit/control';
import { type AepEvent, createId, type JsonObject, sourceUri, type WireEvent } from '@aepkit/envelope';

import { type Endpoint, notReached } from '../endpoint.js';
import { CliError, EXIT } from '../exit-code.js';

/** Who `aep` is when it commands. A retry has to come from the same source as the first copy. */
export const CONTROL_AGENT = 'aep-cli';
const SOURCE = sourceUri({ host: 'localhost', agent: CONTROL_AGENT });

/** Most that is sent again by itself, in a row. */
export const DEFAULT_RETRIES = 1;

/** How a link follows commands. */
export interface LinkOptions {
  /** Filter of the Events it is told; acks have to be among them. */
  readonly filter: JsonObject;
  /** Told of every Event, and what it means to a command of this link. */
  readonly onEvent?: (wire: WireEvent, means: Observation | undefined) => void;
  /** The id of the first command. Default: a fresh one. */
  readonly id?: string;
  /** How long a target may take, in milliseconds. Default: what it declares. */
  readonly ackWindowMs?: number;
  /** How often a command goes out again when its window passes. Default {@link DEFAULT_RETRIES}. */
  readonly retries?: number;
}

/** A connection over which commands go and their answers come. */
export interface ControlLink {
  readonly client: SocketClient;
  readonly sender: Sender;
  /** Sends what `make` makes of the window of the session's target, and gives what became of it. */
  command(session: string, make: (ackWindowMs: number | undefined) => SentCommand, onSent?: (command: SentCommand) => void): Promise<CommandOutcome>;
  close(): Promise<void>;
}

/** Connects, and waits until answers would be heard. Fails where nobody is there, or the endpoint will not have us. */
export async function openLink(endpoint: Endpoint, options: LinkOptions): Promise<ControlLink> {
  let { id } = options;
  const firstThenFresh = (): string => {
    const given = id;
    id = undefined;
    return given ?? createId();
  };
  const sender = createSender({
    source: SOURCE,
    agent: CONTROL_AGENT,
    ...(options.ackWindowMs === undefined ? {} : { ackWindowMs: options.ackWindowMs }),
    createId: firstThenFresh,
  });
  const opened = Promise.withResolvers<SocketStatus>();
  const client = connectSocket({
    url: new URL('socket', endpoint.url),
    role: 'consumer',
    ...(endpoint.token === undefined ? {} : { token: endpoint.token }),
    onStatus: opened.resolve,
    onRefused: (frame) => void sender.refused(frame),
  });
  const subscription = client.subscribe({ filter: options.filter });
  void listen(subscription, (wire) => {
    const means = sender.observe(wire.event);
    options.onEvent?.(wire, means);
  });
  const close = async (): Promise<void> => {
    sender.close();
    subscription.close();
    await client.close();
  };
  try {
    ready(await opened.promise, endpoint);
    if (!(await subscription.opened)) throw new CliError(`${endpoint.url} lets nobody follow its Events`, EXIT.refused);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    client,
    sender,
    close,
    async command(session, make, onSent) {
      const windowMs = options.ackWindowMs ?? (await windowOf(client, session));
      let sent: SentCommand;
      try {
        sent = make(windowMs);
      } catch (error) {
        if (error instanceof ControlError) throw new CliError(error.detail, EXIT.usage);
        throw error;
      }
      onSent?.(sent);
      for (let left = options.retries ?? DEFAULT_RETRIES; ; left -= 1) {
        const receipt = await client.command(sent.wire);
        if (receipt.type === 'refused') sender.refused({ cause: sent.id, code: receipt.code, detail: receipt.detail });
        const outcome = await sent.outcome;
        if (outcome.type !== 'timeout' || left <= 0) return outcome;
        sent = sender.retry(sent.id);
      }
    },
  };
}

function ready(status: SocketStatus, { url, token }: Endpoint): void {
  if (status.type === 'open') return;
  if (status.type === 'closed') throw new CliError(status.reason === 'no-answer' ? notReached(url, status.detail) : `${url} closed the connection: ${status.detail ?? status.reason}`);
  const hint = token === undefined ? '; it wants a token: AEP_TOKEN or --token-file' : '';
  throw new CliError(`${url} refuses the connection: ${status.code}: ${status.detail}${hint}`, EXIT.refused);
}

async function listen(subscription: SocketSubscription, told: (wire: WireEvent) => void): Promise<void> {
  for await (const item of subscription) if (item.type === 'event') told(item.event);
}

/** What the target of a session declares, where exactly one is there. */
async function windowOf(client: SocketClient, session: string): Promise<number | undefined> {
  try {
    const claims = (await client.roster()).filter((entry) => entry.session === session);
    return claims.length === 1 ? ackWindowOf(claims[0]?.control) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether an Event ends the request it is about. */
export function endsRequest({ type, subject }: AepEvent, request: string): boolean {
  return subject === request && (type === 'attention.resolved' || type === 'attention.timeout');
}
