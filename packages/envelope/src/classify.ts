import { AEP_VERSION } from './version.js';

/** What the `aep` member of a value says it is; see {@link classify}. */
export type Classification = 'event' | 'other-minor' | 'other-major' | 'not-an-event';

const VERSION = /^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$/;

/**
 * Tells by the `aep` member alone what a parsed value is, for streams that mix Events with other lines.
 *
 * - `event`: says `0.1`; whether it is a valid Event is for `validateEvent` to say.
 * - `other-minor`: another version of major 0, which this package does not read either (AEP-0001 §11).
 * - `other-major`: a version of another major.
 * - `not-an-event`: no object, no own `aep`, or one that is no version.
 */
export function classify(value: unknown): Classification {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, 'aep')) return 'not-an-event';
  const aep = (value as { readonly aep: unknown }).aep;
  if (aep === AEP_VERSION) return 'event';
  if (typeof aep !== 'string') return 'not-an-event';
  const version = VERSION.exec(aep);
  if (version === null) return 'not-an-event';
  return version[1] === '0' ? 'other-minor' : 'other-major';
}
