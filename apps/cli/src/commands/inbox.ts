import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';

import { dedupeKey, type WireEvent } from '@aepkit/envelope';

import { askAnswer, type Talk } from '../control/ask-answer.js';
import { type ControlFlags, controlEndpoint } from '../control/control-endpoint.js';
import { type ControlLink, openLink } from '../control/control-link.js';
import { heldEvents } from '../control/held-events.js';
import { createOpenRequests, type OpenRequests, REQUEST_TYPES } from '../control/open-requests.js';
import { outcomeText } from '../control/outcome-text.js';
import { fieldLines, isAnswerable, requestLines } from '../control/request-text.js';
import type { Endpoint } from '../endpoint.js';
import { CliError, EXIT } from '../exit-code.js';
import { print, say } from '../stdout.js';
import { painter, plain } from '../terminal.js';

/** Flags of `aep inbox`. */
export interface InboxFlags extends ControlFlags {
  readonly session?: readonly string[];
  readonly json?: boolean;
  /** List and end, on a terminal too. */
  readonly list?: boolean;
  /** Ask, where standard input is no terminal too. */
  readonly interactive?: boolean;
  /** Wait for more when all is answered. */
  readonly watch?: boolean;
}

/** Shows the requests that wait for somebody, and takes answers where a person sits in front of it. */
export async function inbox(flags: InboxFlags): Promise<number> {
  if (flags.interactive === true && (flags.json === true || flags.list === true)) throw new CliError('--interactive goes with neither --json nor --list', EXIT.usage);
  const endpoint = await controlEndpoint(flags);
  const talks = flags.interactive ?? (process.stdin.isTTY && process.stdout.isTTY && flags.json !== true && flags.list !== true);
  return talks ? answerAll(endpoint, flags) : list(endpoint, flags);
}

function filterOf({ session }: InboxFlags, types: readonly string[]): { type: string[]; session?: string[] } {
  return { type: [...types], ...(session === undefined ? {} : { session: [...session] }) };
}

async function list(endpoint: Endpoint, flags: InboxFlags): Promise<number> {
  const requests = createOpenRequests();
  for await (const wire of heldEvents(endpoint, filterOf(flags, REQUEST_TYPES))) requests.push(wire);
  const open = requests.list();
  for (const wire of open) await show(wire, requests, flags.json === true);
  if (open.length === 0) say('nobody waits for an answer');
  return EXIT.ok;
}

async function show(wire: WireEvent, requests: OpenRequests, json = false): Promise<void> {
  if (json) {
    await print(wire.json);
    return;
  }
  const { event } = wire;
  const paint = painter(process.stdout);
  for (const line of [...requestLines({ event, now: Date.now(), paint }), ...fieldLines(event)]) await print(line);
  if (requests.isDisputed(event)) await print(paint.red(DISPUTED));
  if (isAnswerable(event) === false) await print('  to be answered at the agent itself');
}

const DISPUTED = '  two requests came under this id, and an answer to one would be an answer to both: answer at the agent itself';

/** What becomes of one request in a conversation. */
type Turn = 'done' | 'skip' | 'quit';

async function answerAll(endpoint: Endpoint, flags: InboxFlags): Promise<number> {
  const requests = createOpenRequests();
  const changes = new EventTarget();
  // Live first, then what is held: nothing falls between the two.
  const link = await openLink(endpoint, {
    filter: filterOf(flags, [...REQUEST_TYPES, 'control.accepted', 'control.rejected']),
    onEvent: (wire) => {
      requests.push(wire);
      changes.dispatchEvent(new Event('change'));
    },
  });
  const terminal = process.stdin.isTTY && process.stdout.isTTY;
  const reader = createInterface({ input: process.stdin, output: process.stdout, terminal });
  const gone = new AbortController();
  let code: number = EXIT.ok;
  reader.on('close', () => {
    gone.abort();
  });
  reader.on('SIGINT', () => {
    code = EXIT.interrupted;
    process.stdout.write('\n');
    reader.close();
  });
  const lines = lineReader(reader, gone.signal, terminal);
  try {
    for await (const wire of heldEvents(endpoint, filterOf(flags, REQUEST_TYPES))) requests.push(wire);
    const seen = new Set<string>();
    const unseen = (): WireEvent | undefined => requests.list().find(({ event }) => !seen.has(dedupeKey(event)));
    while (!lines.over()) {
      const next = unseen();
      if (next !== undefined) {
        if ((await answerOne({ wire: next, requests, changes, link, lines })) === 'quit') break;
        seen.add(dedupeKey(next.event));
        continue;
      }
      say(`${seen.size === 0 ? 'nobody waits' : 'nobody else waits'} for an answer${flags.watch === true ? '; Ctrl-C ends' : ''}`);
      if (flags.watch !== true) break;
      // Lines of a file that wait are for requests to come.
      while (!lines.over() && unseen() === undefined) {
        await once(changes, 'change', gone.signal.aborted ? {} : { signal: gone.signal }).catch(() => undefined);
      }
    }
    return code;
  } finally {
    reader.close();
    await link.close();
  }
}

interface Answering {
  readonly wire: WireEvent;
  readonly requests: OpenRequests;
  readonly changes: EventTarget;
  readonly link: ControlLink;
  readonly lines: Lines;
}

async function answerOne({ wire, requests, changes, link, lines }: Answering): Promise<Turn> {
  const { event } = wire;
  await show(wire, requests);
  if (isAnswerable(event) === false || requests.isDisputed(event)) return 'skip';
  // Somebody else may be faster, or the agent gives up.
  const over = new AbortController();
  const watch = (): void => {
    if (!requests.has(event) || requests.isDisputed(event)) over.abort();
  };
  changes.addEventListener('change', watch);
  watch();
  const talk: Talk = {
    ask: (question) => lines.ask(question, over.signal),
    tell: (line) => {
      process.stdout.write(`${line}\n`);
    },
  };
  try {
    for (;;) {
      const asked = over.signal.aborted ? { type: 'skip' as const } : await askAnswer(event, talk);
      if (over.signal.aborted) {
        process.stdout.write(`\n${plain(requests.isDisputed(event) ? DISPUTED : endText(requests.endOf(event)?.type))}\n`);
        await lines.goOn();
        return 'done';
      }
      if (asked.type !== 'answer') return asked.type;
      const outcome = await link.command(event.session ?? '', (ackWindowMs) => link.sender.respond(event, asked.answer, ackWindowMs === undefined ? {} : { ackWindowMs }));
      talk.tell(outcomeText(outcome));
      // A nack as invalid leaves the request open for a better answer.
      if (!(outcome.type === 'rejected' && outcome.reason === 'invalid')) return 'done';
    }
  } finally {
    changes.removeEventListener('change', watch);
  }
}

function endText(type: string | undefined): string {
  switch (type) {
    case 'attention.timeout':
      return 'the request expired';
    case 'session.ended':
      return 'the session has ended';
    default:
      return 'answered elsewhere';
  }
}

/** The lines that somebody types, or that a file holds. */
interface Lines {
  /** Asks for one; undefined where none will come, or the question has lost its sense. */
  ask(question: string, signal: AbortSignal): Promise<string | undefined>;
  /** After a question that has vanished: what somebody is about to type for it must not answer the next. */
  goOn(): Promise<void>;
  /** Whether none will come. */
  over(): boolean;
}

function lineReader(reader: ReturnType<typeof createInterface>, gone: AbortSignal, terminal: boolean): Lines {
  const waiting: string[] = [];
  let take: ((line: string | undefined) => void) | undefined;
  reader.on('line', (line) => {
    if (take === undefined) waiting.push(line);
    else take(line);
  });
  gone.addEventListener('abort', () => take?.(undefined));
  const ask = (question: string, signal?: AbortSignal): Promise<string | undefined> => {
    if (terminal) {
      // Typed before the question was there, so meant for another one.
      waiting.length = 0;
      reader.setPrompt('');
      reader.write(null, { ctrl: true, name: 'e' });
      reader.write(null, { ctrl: true, name: 'u' });
    }
    reader.setPrompt(question);
    if (gone.aborted) process.stdout.write(question);
    else reader.prompt();
    const ready = waiting.shift();
    if (ready !== undefined || gone.aborted || signal?.aborted === true) return Promise.resolve(ready);
    return new Promise((resolve) => {
      const done = (line: string | undefined): void => {
        take = undefined;
        signal?.removeEventListener('abort', abort);
        resolve(line);
      };
      const abort = (): void => {
        done(undefined);
      };
      take = done;
      signal?.addEventListener('abort', abort, { once: true });
    });
  };
  return {
    ask,
    goOn: async () => {
      if (terminal) await ask('Enter goes on: ');
    },
    over: () => gone.aborted && waiting.length === 0,
  };
}
