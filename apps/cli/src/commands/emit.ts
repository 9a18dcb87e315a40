import { createReadStream } from 'node:fs';

import { HttpEmitError, HttpEmitter } from '@aepkit/binding-http/client';
import { AEP_VERSION, type AepEvent, createId, EnvelopeError, isAgentScoped, isForeignEmitter, sourceUri, type WireEvent, wireEvent } from '@aepkit/envelope';
import { checkEmission } from '@aepkit/taxonomy';

import { causeOf, endpointOf, notReached } from '../endpoint.js';
import { eventIssues } from '../event-issues.js';
import { CliError, EXIT } from '../exit-code.js';
import { issueText } from '../issue-text.js';
import { readLines } from '../read-lines.js';
import { severityFlag } from '../severity-flag.js';
import { print, say } from '../stdout.js';
import { plain } from '../terminal.js';
import { unknownMembers } from '../unknown-members.js';

/** Options of `aep emit`. */
export interface EmitOptions {
  readonly url?: string;
  readonly type?: string;
  readonly session?: string;
  readonly agent?: string;
  readonly subject?: string;
  readonly run?: string;
  readonly severity?: string;
  readonly data?: string;
  readonly seq?: number;
  readonly epoch?: number;
  readonly strict?: boolean;
  readonly dryRun?: boolean;
}

/** Events of a file that are sent together. */
const BATCH = 500;
/** Events of a file that are warned of one by one. */
const MAX_WARNED = 20;

/** Sends the Event that the flags describe, or those of a file as they stand there. */
export async function emit(file: string | undefined, options: EmitOptions): Promise<number> {
  if ((file === undefined) === (options.type === undefined)) throw new CliError('give a file of Events, or --type for one Event', EXIT.usage);
  const batches = file === undefined ? [[eventOf(options)]] : readBatches(file, options.strict === true);
  if (options.dryRun === true) {
    for await (const batch of batches) for (const { json } of batch) await print(json);
    return EXIT.ok;
  }
  const endpoint = endpointOf(options.url);
  const emitter = new HttpEmitter({
    url: new URL('events', endpoint.url),
    ...(endpoint.token === undefined ? {} : { token: endpoint.token }),
    maxAttempts: 4,
  });
  let sent = 0;
  try {
    for await (const batch of batches) sent += (await emitter.send(batch)).accepted;
  } catch (error) {
    // What went out stays; without the number nobody could go on behind it.
    if (error instanceof HttpEmitError) sent += error.accepted;
    const before = `${sent} Events were accepted before`;
    if (error instanceof HttpEmitError && error.code === 'network' && error.status === undefined) {
      const nobody = notReached(endpoint.url, causeOf(error.cause));
      throw new CliError(file === undefined ? nobody : `${before}, now: ${nobody}`);
    }
    if (error instanceof HttpEmitError) throw new CliError(`${error.message} (${error.code}); ${before}`);
    if (error instanceof CliError) throw new CliError(`${error.message}; ${before}`, error.exitCode);
    throw error;
  }
  say(`${sent} accepted`);
  return EXIT.ok;
}

function eventOf(options: EmitOptions): WireEvent {
  const { type = '', session, agent = 'aep-cli', subject, run, severity } = options;
  const positioned = !isAgentScoped(type) && !isForeignEmitter(type);
  const event: Record<string, unknown> = {
    aep: AEP_VERSION,
    id: createId(),
    type,
    ...(subject === undefined ? {} : { subject }),
    time: new Date().toISOString(),
    source: sourceUri({ host: 'localhost', agent, ...(isAgentScoped(type) || session === undefined ? {} : { session }) }),
    agent,
    ...(session === undefined ? {} : { session }),
    ...(run === undefined ? {} : { run }),
    // Nothing remembers a counter between two runs of the command: each begins an epoch of its own (AEP-0001 §7.1).
    ...(positioned ? { seq: options.seq ?? 0, epoch: options.epoch ?? Date.now() } : {}),
    ...(severity === undefined ? {} : { severity: severityFlag(severity) }),
    ...(options.data === undefined ? {} : { data: parseData(options.data) }),
  };
  let wire: WireEvent;
  try {
    wire = wireEvent(event as unknown as AepEvent);
  } catch (error) {
    if (error instanceof EnvelopeError) throw new CliError(error.message, EXIT.usage);
    throw error;
  }
  const [refused] = checkEmission(wire.event).filter(({ severity: level }) => level === 'error');
  if (refused !== undefined) throw new CliError(refused.message, EXIT.usage);
  const words = faultsOf(wire.event);
  words.push(...unknownMembers(wire.event).map((path) => `unknown-member at ${path}: the schema of ${type} does not list it`));
  if (words.length > 0 && options.strict === true) throw new CliError(`${words.join('; ')}; nothing was sent`);
  for (const text of words) say(plain(`aep: warning: ${text}`));
  return wire;
}

/** In the words of `aep validate`. An endpoint takes such an Event all the same: it goes by the envelope (AEP-0003 §3.2). */
function faultsOf(event: AepEvent): string[] {
  return eventIssues(event).map(issueText);
}

function parseData(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CliError('--data is not JSON', EXIT.usage);
  }
}

async function* readBatches(file: string, strict: boolean): AsyncGenerator<WireEvent[]> {
  const input = file === '-' ? process.stdin : createReadStream(file);
  let batch: WireEvent[] = [];
  let first = 1;
  let faulty = 0;
  for await (const line of readLines(input, file)) {
    if (line.type === 'blank' || line.type === 'mark') continue;
    if (line.type === 'bad') throw new CliError(`${file}:${line.number}: ${line.message}; nothing from line ${first} on was sent`);
    const words = faultsOf(line.event.event);
    if (words.length > 0) {
      const text = `${file}:${line.number}: ${words.join('; ')}`;
      if (strict) throw new CliError(`${text}; nothing from line ${first} on was sent`);
      faulty += 1;
      if (faulty <= MAX_WARNED) say(plain(`aep: warning: ${text}`));
    }
    batch.push(line.event);
    if (batch.length === BATCH) {
      yield batch;
      batch = [];
      first = line.number + 1;
    }
  }
  if (faulty > MAX_WARNED) say(`aep: warning: ${faulty - MAX_WARNED} more Events with faults; aep validate lists them`);
  if (batch.length > 0) yield batch;
}
