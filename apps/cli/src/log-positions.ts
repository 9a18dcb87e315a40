import { createHash, randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { followJsonl, type JsonlPosition } from '@aepkit/binding-jsonl/follow';
import { makeFolder } from '@aepkit/collector/make-folder';

import { CliError, EXIT } from './exit-code.js';
import { stateFolder } from './position-file.js';

/** Time in which changes gather before they are written, in milliseconds. */
const SAVE_AFTER_MS = 250;
/** With many logs the file is large, and written less often: so many of them cost a millisecond of waiting. */
const LOGS_PER_MS = 10;

/** Where places are kept for one log, or folder of logs, and one filter, unless a file is named. */
export function defaultLogPositionFile(path: string, filter: string | undefined, env: Readonly<Record<string, string | undefined>> = process.env): string {
  const name = createHash('sha256').update(JSON.stringify(['log', path, filter ?? null])).digest('hex').slice(0, 16);
  return join(stateFolder(env), `tail-${name}.json`);
}

/** How far each log has been shown, in a file that is replaced as a whole. Without a file nothing is kept. */
export class LogPositions {
  readonly #path: string | undefined;
  readonly #places = new Map<string, JsonlPosition>();
  #reading: { readonly log: string; readonly place: () => JsonlPosition | undefined } | undefined;
  #busy = false;
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();
  #failure: Error | undefined;

  constructor(path: string | undefined) {
    this.#path = path;
  }

  /** Reads what an earlier run kept. Gives how many logs it had shown. */
  async load(): Promise<number> {
    if (this.#path === undefined) return 0;
    let text: string;
    try {
      text = await readFile(this.#path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
      throw new CliError(`cannot read the positions in ${this.#path}: ${(error as Error).message}`, EXIT.usage);
    }
    for (const [log, place] of parse(text, this.#path)) this.#places.set(log, place);
    return this.#places.size;
  }

  get(log: string): JsonlPosition | undefined {
    return this.#places.get(log);
  }

  /**
   * A log is being read: `place` gives how far it was shown. It is asked for when something is written only, since it costs more than most
   * lines do.
   */
  reading(log: string, place: () => JsonlPosition | undefined): void {
    this.#reading = { log, place };
  }

  /** An item has come and is being shown; until {@link shown} its place is not to be kept. */
  showing(): void {
    this.#busy = true;
  }

  /** What came was shown. The place behind it is on the disk soon, and after {@link save} for certain. */
  shown(): void {
    this.#busy = false;
    if (this.#failure !== undefined) throw this.#failure;
    this.#arm();
  }

  /** The log is not read any more. */
  read(): void {
    this.#busy = false;
    this.#settle();
    this.#reading = undefined;
    this.#arm();
  }

  /** Forgets the logs that are gone. */
  keepOnly(logs: ReadonlySet<string>): void {
    for (const log of this.#places.keys()) if (!logs.has(log)) this.#places.delete(log);
  }

  #arm(): void {
    if (this.#path === undefined) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#busy) {
        this.#arm();
        return;
      }
      this.save().catch((error: unknown) => {
        this.#failure = error instanceof Error ? error : new Error(String(error));
      });
    }, SAVE_AFTER_MS + this.#places.size / LOGS_PER_MS);
  }

  #settle(): void {
    const place = this.#busy ? undefined : this.#reading?.place();
    if (this.#reading !== undefined && place !== undefined) this.#places.set(this.#reading.log, place);
  }

  /** Writes what there is. One call at a time writes. */
  async save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#settle();
    const path = this.#path;
    if (path === undefined || this.#places.size === 0) return;
    const written = this.#saving.then(() => replaceFile(path, JSON.stringify({ version: 1, logs: Object.fromEntries(this.#places) })));
    this.#saving = written.catch(() => undefined);
    await written;
  }
}

async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  try {
    await makeFolder(dirname(path));
    await writeFile(draft, text, { mode: 0o600 });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw new CliError(`cannot keep positions in ${path}: ${(error as Error).message}`);
  }
}

function parse(text: string, path: string): [string, JsonlPosition][] {
  try {
    const value = JSON.parse(text) as { version?: unknown; logs?: unknown };
    if (value.version === 1 && typeof value.logs === 'object' && value.logs !== null && !Array.isArray(value.logs)) {
      const places = Object.entries(value.logs) as [string, JsonlPosition][];
      // It throws where one is no place.
      for (const [log, from] of places) followJsonl(log === '' ? '.' : log, { from });
      return places;
    }
  } catch {
    // Falls through to the same refusal.
  }
  throw new CliError(`${path} does not hold positions in logs; remove it to start afresh`, EXIT.usage);
}
