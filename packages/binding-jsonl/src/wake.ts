import type { DirectoryWatch } from './directory-watch.js';
import type { JsonlTimers } from './timers.js';

/** What happened since the last look. */
export interface Happened {
  /** Time for a poll, or the first look. */
  readonly polled: boolean;
  /** A file beside the one followed changed, or it is not known which. */
  readonly beside: boolean;
}

/** A folder to watch, and the beginning of the names in it that matter. */
export interface WatchPlace {
  readonly directory: string;
  readonly base: string;
}

/** A folder that cannot be watched. */
export interface WatchFailure {
  readonly directory: string;
  readonly error: unknown;
}

/** What {@link Wake} takes. */
export interface WakeOptions {
  readonly watch: DirectoryWatch | undefined;
  readonly timers: JsonlTimers;
  readonly pollMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Tells when to look again. Whatever happens is remembered until the next `take`, so that what comes between a look and the
 * wait behind it is not missed: `take` first, look then, wait last.
 */
export class Wake {
  readonly #options: WakeOptions;
  readonly #watches = new Map<string, { readonly id: string; bases: readonly string[]; readonly stop: () => void }>();
  #failures: WatchFailure[] = [];
  #happened: { polled: boolean; beside: boolean } | undefined = { polled: true, beside: true };
  #timer: unknown;
  #resume: (() => void) | undefined;
  readonly #onAbort = (): void => {
    this.#resume?.();
  };

  constructor(options: WakeOptions) {
    this.#options = options;
    options.signal?.addEventListener('abort', this.#onAbort);
    this.#arm();
  }

  /** Watches these folders and no others. `idOf` tells one folder from another that took its name. */
  async watch(places: readonly WatchPlace[], idOf: (directory: string) => Promise<string | undefined>): Promise<void> {
    const { watch } = this.#options;
    if (watch === undefined) return;
    const wanted = Map.groupBy(places, ({ directory }) => directory);
    for (const [directory, { id, stop }] of this.#watches) {
      if (wanted.has(directory) && (await idOf(directory)) === id) continue;
      stop();
      this.#watches.delete(directory);
    }
    for (const [directory, inside] of wanted) {
      const bases = inside.map(({ base }) => base);
      const watched = this.#watches.get(directory);
      if (watched !== undefined) {
        watched.bases = bases;
        continue;
      }
      const id = await idOf(directory);
      if (id === undefined) continue;
      const failed = (error: unknown): void => {
        this.#failures.push({ directory, error });
      };
      const changed = (name: string | undefined): void => {
        this.#changed(directory, name);
      };
      // Kept where watching failed as well: it is not tried again for the same folder, and polls go on.
      this.#watches.set(directory, { id, bases, stop: watch(directory, changed, failed) });
      // What happened in the folder before it was watched has not been seen.
      this.again();
    }
  }

  /** Folders that turned out not to be watchable since the last call. */
  failures(): readonly WatchFailure[] {
    const failures = this.#failures;
    this.#failures = [];
    return failures;
  }

  /** Looks again without waiting. */
  again(): void {
    this.#notice({ polled: false, beside: true });
  }

  /** What happened since the last `take`. */
  take(): Happened {
    const happened = this.#happened ?? { polled: false, beside: false };
    this.#happened = undefined;
    return happened;
  }

  /** Waits until something has happened since the last `take`. Gives `false` once the signal has fired. */
  async wait(): Promise<boolean> {
    const { signal } = this.#options;
    if (this.#happened === undefined && signal?.aborted !== true) {
      await new Promise<void>((resolve) => {
        this.#resume = resolve;
      });
      this.#resume = undefined;
    }
    return signal?.aborted !== true;
  }

  close(): void {
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    if (this.#timer !== undefined) this.#options.timers.clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const { stop } of this.#watches.values()) stop();
    this.#watches.clear();
  }

  #arm(): void {
    const { timers, pollMs } = this.#options;
    if (pollMs === Infinity) return;
    this.#timer = timers.setTimeout(() => {
      this.#arm();
      this.#notice({ polled: true, beside: true });
    }, pollMs);
  }

  #changed(directory: string, name: string | undefined): void {
    const bases = this.#watches.get(directory)?.bases ?? [];
    if (name === undefined) this.again();
    else if (bases.includes(name)) this.#notice({ polled: false, beside: false });
    else if (bases.some((base) => name.startsWith(base))) this.again();
  }

  #notice({ polled, beside }: Happened): void {
    this.#happened ??= { polled: false, beside: false };
    this.#happened.polled ||= polled;
    this.#happened.beside ||= beside;
    this.#resume?.();
  }
}
