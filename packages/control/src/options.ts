/** How long a target has for its ack where its `hello` does not say, in milliseconds (AEP-0004 §3). */
export const DEFAULT_ACK_WINDOW_MS = 10_000;
/** Most sessions that one connection claims in a router. */
export const DEFAULT_MAX_CLAIMS = 10_000;
/** Most commands that a router remembers per connection to have handed there. */
export const DEFAULT_MAX_HANDED = 10_000;
/** Longest text a router keeps per connection for each of claims, ended sessions and handed commands, in UTF-16 units. */
export const DEFAULT_MAX_CONNECTION_LENGTH: number = 1024 * 1024;
/** Most commands that a sender follows. */
export const DEFAULT_MAX_COMMANDS = 1_000;
/** Most decisions that an inbox remembers. */
export const DEFAULT_MAX_DECISIONS = 10_000;
/** Longest text an inbox keeps for its decisions, in UTF-16 units. */
export const DEFAULT_MAX_DECISION_LENGTH: number = 16 * 1024 * 1024;
/** Most decisions of an inbox that are pending. */
export const DEFAULT_MAX_PENDING = 100;
/** For how many ack windows an inbox remembers a decision at least. */
export const KEPT_WINDOWS = 6;

/** The most that a timer counts; a longer one would fire at once, so it counts as off. */
const MAX_DELAY_MS = 2_147_483_647;

/** Timers as the state machines use them. */
export interface ControlTimers {
  setTimeout(callback: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
}

/** The timers of the platform. They keep a Node process alive while an ack is awaited. */
export const PLATFORM_TIMERS: ControlTimers = {
  setTimeout: (callback, ms) => globalThis.setTimeout(callback, ms),
  clearTimeout: (timer) => globalThis.clearTimeout(timer as number),
};

/** A positive integer or Infinity; throws a RangeError otherwise. */
export function boundOf(name: string, value: number | undefined, fallback: number): number {
  if (value === undefined) return fallback;
  if (value !== Infinity && !(Number.isSafeInteger(value) && value > 0)) throw new RangeError(`${name}: expected a positive integer or Infinity`);
  return value;
}

/** {@link boundOf} for milliseconds: what no timer counts is off. */
export function delayOf(name: string, value: number | undefined, fallback: number): number {
  const ms = boundOf(name, value, fallback);
  return ms > MAX_DELAY_MS ? Infinity : ms;
}
