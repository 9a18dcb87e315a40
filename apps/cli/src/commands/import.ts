import { HttpEmitError, HttpEmitter } from '@aepkit/binding-http/client';
import type { WireEvent } from '@aepkit/envelope';

import { causeOf, endpointOf, type Endpoint, notReached } from '../endpoint.js';
import { CliError, EXIT } from '../exit-code.js';
import { findLogs } from '../import-files.js';
import { type LinePlace, readLogs } from '../import-lines.js';
import { interruptible } from '../interrupt.js';
import { counted, Progress } from '../progress.js';
import { print, say } from '../stdout.js';
import { plain } from '../terminal.js';

/** Options of `aep import`. */
export interface ImportOptions {
  readonly url?: string;
  readonly keepGoing?: boolean;
  readonly maxLineBytes?: number;
  readonly json?: boolean;
}

/** Events of one request at most. */
const BATCH_EVENTS = 1000;
/** Characters of one request at most, a single longer Event aside. */
const BATCH_CHARS = 4_194_304;
/** Files that are named for being no logs; of more, the number is told. */
const MAX_NAMED = 20;
/** Longest line, in bytes. The collector has a limit of its own. */
const MAX_LINE_BYTES = 67_108_864;

type Placed = LinePlace & { readonly event: WireEvent };

/** Sends logs to a collector, Event by Event as they stand there. What it keeps already is not kept twice, so an import can be repeated. */
export async function importEvents(paths: readonly string[], options: ImportOptions): Promise<number> {
  if (paths.filter((path) => path === '-').length > 1) throw new CliError('- is standard input, and there is one', EXIT.usage);
  const progress = new Progress();
  return await interruptible((signal) => new Import(options, progress, signal).run(paths)).finally(() => {
    progress.clear();
  });
}

class Import {
  readonly #endpoint: Endpoint;
  readonly #emitter: HttpEmitter;
  readonly #options: ImportOptions;
  readonly #progress: Progress;
  readonly #signal: AbortSignal;
  #accepted = 0;
  #duplicates = 0;
  #bad = 0;

  constructor(options: ImportOptions, progress: Progress, signal: AbortSignal) {
    this.#options = options;
    this.#progress = progress;
    this.#signal = signal;
    this.#endpoint = endpointOf(options.url);
    this.#emitter = new HttpEmitter({
      url: new URL('import/events', this.#endpoint.url),
      ...(this.#endpoint.token === undefined ? {} : { token: this.#endpoint.token }),
      maxAttempts: 4,
      maxQueuedBytes: Infinity,
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        const duplicates = response.status === 202 ? response.headers.get('aep-duplicates') : null;
        if (duplicates !== null && /^\d{1,9}$/.test(duplicates)) this.#duplicates += Number(duplicates);
        return response;
      },
    });
  }

  async run(paths: readonly string[]): Promise<number> {
    let leftOut = 0;
    const groups = await findLogs(paths, (path) => {
      leftOut += 1;
      if (leftOut <= MAX_NAMED) say(plain(`left out, being no log: ${path}`));
    });
    if (leftOut > MAX_NAMED) say(`left out, being no log: ${counted(leftOut - MAX_NAMED, 'more file')}`);
    let sending: Promise<void> = Promise.resolve();
    const send = async (batch: readonly Placed[]): Promise<void> => {
      await sending;
      sending = this.#deliver(batch);
      // Awaited before the next one; until then nobody is to take a failure for one that is not looked at.
      sending.catch(() => undefined);
    };
    let batch: Placed[] = [];
    let chars = 0;
    for (const [index, group] of groups.entries()) {
      for await (const line of readLogs(group, this.#options.maxLineBytes ?? MAX_LINE_BYTES, this.#signal)) {
        if (line.type === 'skipped') {
          // The first one of each version was reported by itself.
          this.#bad += line.count;
          continue;
        }
        if (line.type === 'bad') {
          await send(batch);
          batch = [];
          chars = 0;
          await sending;
          this.#report(line, line.reason);
          continue;
        }
        const size = line.event.json.length;
        if (batch.length > 0 && (batch.length >= BATCH_EVENTS || chars + size > BATCH_CHARS)) {
          await send(batch);
          batch = [];
          chars = 0;
          this.#progress.show(() => `${counted(this.#accepted, 'Event')}, log ${index + 1} of ${groups.length}`);
        }
        batch.push(line);
        chars += size;
      }
      if (this.#signal.aborted) break;
    }
    if (!this.#signal.aborted) await send(batch);
    await sending;
    if (this.#signal.aborted) throw this.#interrupted();
    return await this.#end();
  }

  async #end(): Promise<number> {
    this.#progress.clear();
    // A batch that was repeated, since its answer was lost, counts as there already.
    const fresh = Math.max(0, this.#accepted - this.#duplicates);
    if (this.#options.json === true) {
      await print(JSON.stringify({ accepted: this.#accepted, new: fresh, duplicates: this.#accepted - fresh, bad: this.#bad }));
    } else {
      const bad = this.#bad === 0 ? '' : `, ${counted(this.#bad, 'bad line')} left out`;
      say(`${counted(this.#accepted, 'Event')} accepted: ${fresh.toLocaleString('en-US')} new, ${(this.#accepted - fresh).toLocaleString('en-US')} there already${bad}`);
    }
    return this.#bad === 0 ? EXIT.ok : EXIT.failure;
  }

  /** Sends a batch; what the collector refuses of it is a bad line as well. */
  async #deliver(batch: readonly Placed[]): Promise<void> {
    let rest = batch;
    while (rest.length > 0) {
      try {
        const { accepted } = await this.#emitter.send(rest.map(({ event }) => event), { signal: this.#signal });
        this.#accepted += accepted;
        return;
      } catch (error) {
        if (!(error instanceof HttpEmitError)) throw error;
        this.#accepted += error.accepted;
        const refused = error.index === undefined ? undefined : rest[error.index];
        if (refused === undefined || error.index === undefined || !blamesOne(error)) throw this.#failure(error);
        const before = rest.slice(error.accepted, error.index);
        const after = rest.slice(error.index + 1);
        if (this.#options.keepGoing !== true && before.length > 0) {
          // Stop there, not at the beginning of its batch.
          await this.#deliver(before);
          this.#report(refused, error.message);
        }
        this.#report(refused, error.message);
        rest = [...before, ...after];
      }
    }
  }

  /** Says what is wrong with a line, and ends there unless it is to be left out. */
  #report({ file, line }: LinePlace, reason: string): void {
    this.#progress.clear();
    const text = `${file}:${line}: ${reason}`;
    if (this.#options.keepGoing !== true) throw new CliError(`${text}; ${counted(this.#accepted, 'Event')} accepted before; --keep-going leaves such lines out`);
    this.#bad += 1;
    say(plain(text));
  }

  #interrupted(): CliError {
    return new CliError(`interrupted; ${counted(this.#accepted, 'Event')} accepted before; run it again to go on`, EXIT.interrupted);
  }

  #failure(error: HttpEmitError): CliError {
    if (error.code === 'aborted') return this.#interrupted();
    const before = `${counted(this.#accepted, 'Event')} accepted before; run it again to go on`;
    if (error.code === 'network' && error.status === undefined) return new CliError(`${notReached(this.#endpoint.url, causeOf(error.cause))}; ${before}`);
    if (error.status === 404 || error.status === 405) return new CliError(`${this.#endpoint.url} takes no import: it is no collector, or an older one`);
    return new CliError(`${error.message} (${error.code}); ${before}`);
  }
}

/** Whether the rest of a batch would pass without the Event that was named. */
function blamesOne({ code, reason }: HttpEmitError): boolean {
  return code === 'invalid-event' || code === 'too-large' || (code === 'forbidden' && reason === 'command-refused');
}
