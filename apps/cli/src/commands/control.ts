import { checkAnswer, type CommandOutcome, type Observation, type SentCommand } from '@aepkit/control';
import type { AepEvent, JsonObject, JsonValue, WireEvent } from '@aepkit/envelope';

import { type ControlFlags, controlEndpoint } from '../control/control-endpoint.js';
import { type ControlLink, endsRequest, openLink } from '../control/control-link.js';
import { heldEvents } from '../control/held-events.js';
import { isSameRequest } from '../control/same-request.js';
import { outcomeCode, outcomeJson, outcomeText } from '../control/outcome-text.js';
import type { Endpoint } from '../endpoint.js';
import { eventLine } from '../event-line.js';
import { CliError, EXIT } from '../exit-code.js';
import { print, say } from '../stdout.js';
import { painter, plain } from '../terminal.js';

/** Flags of every command to an agent. */
export interface CommandFlags extends ControlFlags {
  readonly id?: string;
  readonly ackWindow?: number;
  readonly retries?: number;
  /** Seconds. */
  readonly wait?: number;
  readonly json?: boolean;
}

/** Flags of `aep respond`. */
export interface RespondFlags extends CommandFlags {
  readonly option?: string;
  readonly text?: string;
  readonly values?: string;
}

/** Answers a request. */
export async function respond(targets: readonly string[], flags: RespondFlags): Promise<number> {
  const [request = '', named] = targets.toReversed();
  if (targets.length > 2) throw new CliError('give the request, or its session and the request', EXIT.usage);
  const answer = answerOf(flags);
  const endpoint = await controlEndpoint(flags);
  const asked = await requestOf(endpoint, request, named);
  if (asked === undefined && named === undefined) throw new CliError(`no request ${request} is held; with its session it could be answered all the same: aep respond <session> ${request}`);
  const verdict = asked === undefined ? undefined : checkAnswer(asked, answer);
  if (verdict?.type === 'invalid') throw new CliError(`${verdict.detail}${offered(asked, answer)}`, EXIT.usage);
  const session = asked?.session ?? named ?? '';
  return send(endpoint, flags, session, {
    make: (link, ackWindowMs) => {
      const window = ackWindowMs === undefined ? {} : { ackWindowMs };
      return asked === undefined ? link.sender.command('control.attention.respond', { session, subject: request, cause: request, data: { answer }, ...window }) : link.sender.respond(asked, answer, window);
    },
    isOutcome: (event) => endsRequest(event, request),
  });
}

/** Where an option was none of those that the request has: which it has. */
function offered(asked: AepEvent | undefined, { option }: JsonObject): string {
  const options = (asked?.data as { readonly options?: unknown } | undefined)?.options;
  const ids = Array.isArray(options) ? options.flatMap((each) => (each as { readonly id?: string } | null)?.id ?? []) : [];
  return option === undefined || ids.includes(option as string) || ids.length === 0 ? '' : plain(`: ${ids.join(', ')}`);
}

function answerOf({ option, text, values }: RespondFlags): JsonObject {
  if (option === undefined && text === undefined && values === undefined) throw new CliError('say what to answer: --option, --text or --values', EXIT.usage);
  return { ...(option === undefined ? {} : { option }), ...(text === undefined ? {} : { text }), ...(values === undefined ? {} : { values: objectOf(values) }) };
}

function objectOf(text: string): JsonObject {
  try {
    const value = JSON.parse(text) as JsonValue;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  } catch {
    // Falls through to the same refusal.
  }
  throw new CliError('--values is no JSON object', EXIT.usage);
}

async function requestOf(endpoint: Endpoint, id: string, session: string | undefined): Promise<AepEvent | undefined> {
  let found: WireEvent | undefined;
  for await (const wire of heldEvents(endpoint, { type: 'attention.requested', ...(session === undefined ? {} : { session }) })) {
    const { event } = wire;
    if (event.id !== id) continue;
    // What was read may be the text of one, and the answer would go to the other.
    if (found !== undefined && (found.event.source !== event.source || !isSameRequest(found, wire))) throw new CliError(`two requests came under the id ${id}; answer at the agent itself`);
    found = wire;
  }
  return found?.event;
}

/** Asks an agent to stop a run, or the whole session. */
export async function cancel(session: string, flags: CommandFlags & { readonly run?: string; readonly reason?: string }): Promise<number> {
  const { run, reason } = flags;
  const data = { scope: run === undefined ? 'session' : 'run', ...(reason === undefined ? {} : { reason }) };
  return send(await controlEndpoint(flags), flags, session, {
    make: (link, ackWindowMs) => link.sender.command('control.cancel', { session, ...(run === undefined ? {} : { run }), data, ...(ackWindowMs === undefined ? {} : { ackWindowMs }) }),
    isOutcome: (event, linked) => (linked && event.type === 'run.cancelled' && run !== undefined) || event.type === 'session.ended',
  });
}

/** Asks an agent to pause, or to go on. */
export async function pauseOrResume(type: 'control.pause' | 'control.resume', session: string, flags: CommandFlags): Promise<number> {
  return send(await controlEndpoint(flags), flags, session, {
    make: (link, ackWindowMs) => link.sender.command(type, { session, data: {}, ...(ackWindowMs === undefined ? {} : { ackWindowMs }) }),
    isOutcome: (_event, linked) => linked,
  });
}

interface Sending {
  readonly make: (link: ControlLink, ackWindowMs: number | undefined) => SentCommand;
  /** Whether an Event tells what came of the command; `linked`: it names it as its cause. */
  readonly isOutcome: (event: AepEvent, linked: boolean) => boolean;
}

async function send(endpoint: Endpoint, flags: CommandFlags, session: string, { make, isOutcome }: Sending): Promise<number> {
  const came = Promise.withResolvers<WireEvent>();
  const look = (wire: WireEvent, means: Observation | undefined): void => {
    if (isOutcome(wire.event, means?.type === 'outcome')) came.resolve(wire);
  };
  const link = await openLink(endpoint, {
    filter: { session },
    onEvent: look,
    ...(flags.id === undefined ? {} : { id: flags.id }),
    ...(flags.ackWindow === undefined ? {} : { ackWindowMs: flags.ackWindow }),
    ...(flags.retries === undefined ? {} : { retries: flags.retries }),
  });
  try {
    // A command of an earlier run may have its answer already.
    const held: WireEvent[] = [];
    if (flags.id !== undefined) for await (const wire of heldEvents(endpoint, { session })) held.push(wire);
    let id = '';
    const outcome = await link.command(
      session,
      (ackWindowMs) => make(link, ackWindowMs),
      (sent) => {
        ({ id } = sent);
        for (const wire of held) look(wire, link.sender.observe(wire.event));
      },
    );
    await tell(id, session, outcome, flags);
    if (outcome.type !== 'accepted' || flags.wait === undefined) return outcomeCode(outcome);
    return await waitFor(came.promise, flags.wait, flags.json === true);
  } finally {
    await link.close();
  }
}

async function tell(id: string, session: string, outcome: CommandOutcome, { json }: CommandFlags): Promise<void> {
  if (json === true) await print(outcomeJson(id, session, outcome));
  else if (outcome.type === 'accepted') await print(`accepted  ${plain(id)}`);
  else say(`aep: ${outcomeText(outcome)}`);
  if (outcome.type === 'timeout') say(plain(`try again with the same command: --id ${id}`));
}

async function waitFor(came: Promise<WireEvent>, seconds: number, json: boolean): Promise<number> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, seconds * 1000, undefined);
  });
  const wire = await Promise.race([came, late]);
  clearTimeout(timer);
  if (wire === undefined) {
    say(`aep: nothing came of it within ${seconds} s`);
    return EXIT.timeout;
  }
  await print(json ? wire.json : eventLine(wire.event, painter(process.stdout)));
  return EXIT.ok;
}
