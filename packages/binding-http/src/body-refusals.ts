import { refuse, type Refusal } from './refusal.js';

/** A body over its bound. */
export function tooLarge(maxBytes: number, what: 'sent' | 'inflated'): Refusal {
  return refuse(413, 'too-large', `the body is larger than ${String(maxBytes)} bytes${what === 'inflated' ? ' when inflated' : ''}`, {
    code: 'body-too-large',
  });
}

/** A line over its bound, found before its place is known. */
export function longLine(maxBytes: number): Refusal {
  return refuse(413, 'too-large', `the body has a line of more than ${String(maxBytes)} bytes`, { code: 'too-large' });
}

/** No room for another body right now. */
export function overloaded(): Refusal {
  return refuse(503, 'overloaded', 'too many bodies are under way', { code: 'bodies-pending', retry: true });
}

/** A body that does not come to its end. */
export function tooSlow(timeoutMs: number): Refusal {
  return refuse(408, 'timeout', `the body took longer than ${String(timeoutMs)} ms`, { code: 'body-timeout' });
}

/** A body that broke off. Nobody is left to read the answer. */
export function brokenOff(): Refusal {
  return refuse(400, 'invalid-event', 'the body broke off', { code: 'body-aborted' });
}
