import type { SessionOptions } from './emitter.js';
import type { EmissionAttributes } from './emission.js';
import { EmitterError } from './errors.js';
import type { FlushOptions } from './flush-outcome.js';
import type { EmitterOptions } from './options.js';

/** Exactly the names of a type: one too many or too few does not compile. */
type NamesOf<Type> = Readonly<Record<keyof Type, true>>;

const OPTIONS: NamesOf<EmitterOptions> = {
  agent: true,
  host: true,
  source: true,
  transport: true,
  ceiling: true,
  ceilings: true,
  accepts: true,
  onCommand: true,
  ackWindowMs: true,
  redact: true,
  names: true,
  homes: true,
  pii: true,
  epochs: true,
  maxQueuedEvents: true,
  maxQueuedBytes: true,
  whenFull: true,
  maxBatchEvents: true,
  maxBatchBytes: true,
  batchDelayMs: true,
  retryBaseMs: true,
  retryMaxMs: true,
  maxAttempts: true,
  maxEventBytes: true,
  maxPayloadUnits: true,
  maxSessions: true,
  maxRequests: true,
  maxRequestUnits: true,
  maxUnits: true,
  onLoss: true,
  onError: true,
  onTrouble: true,
  now: true,
  createId: true,
  random: true,
  timers: true,
};

const ATTRIBUTES: NamesOf<EmissionAttributes & { readonly data?: unknown }> = {
  data: true,
  subject: true,
  run: true,
  step: true,
  cause: true,
  severity: true,
  capture: true,
  traceparent: true,
  time: true,
  extensions: true,
  members: true,
  late: true,
};

const SESSION: NamesOf<SessionOptions> = { extensions: true, traceparent: true, history: true };
const FLUSH: NamesOf<FlushOptions> = { timeoutMs: true };

/** What a name belongs to, for the message. */
export type NameKind = 'option of createEmitter' | 'attribute of an emission' | 'option of a session' | 'option of flush and close';

/** What plain JavaScript may misspell. */
export const KNOWN_NAMES: Readonly<Record<NameKind, ReadonlySet<string>>> = {
  'option of createEmitter': new Set(Object.keys(OPTIONS)),
  'attribute of an emission': new Set(Object.keys(ATTRIBUTES)),
  'option of a session': new Set(Object.keys(SESSION)),
  'option of flush and close': new Set(Object.keys(FLUSH)),
};

/** Throws {@link EmitterError} `unknown-name` for the first own member that nobody knows. */
export function checkNames(kind: NameKind, given: object): void {
  const known = KNOWN_NAMES[kind];
  for (const name of Object.keys(given)) {
    if (known.has(name)) continue;
    const meant = nearest(name, known);
    throw new EmitterError('unknown-name', `is no ${kind}${meant === undefined ? '' : `, did you mean ${meant}?`}`, { path: `$.${name.slice(0, 100).toWellFormed()}` });
  }
}

/** The known name that is at most two letters away, if any. */
function nearest(name: string, known: ReadonlySet<string>): string | undefined {
  if (name.length > 40) return undefined;
  const lower = name.toLowerCase();
  let best: string | undefined;
  let least = Math.min(3, name.length);
  for (const each of known) {
    const away = distance(lower, each.toLowerCase());
    if (away < least) [best, least] = [each, away];
  }
  return best;
}

/** Letters to insert, to leave out or to replace. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
