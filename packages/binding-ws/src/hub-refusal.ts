import type { HubError, HubErrorCode } from '@aepkit/hub';

import type { WsErrorCode } from './error-code.js';

/** `code` and `detail` of the `error` frame for what the hub threw; no `code`: it is nothing that a peer is to blame for. */
export interface HubRefusal<C> {
  readonly code: C;
  readonly detail: string;
}

const CODES: Readonly<Record<HubErrorCode, WsErrorCode | undefined>> = {
  'invalid-filter': 'invalid-filter',
  'limit-exceeded': 'limit-exceeded',
  unauthorized: 'unauthorized',
  'invalid-event': 'invalid-event',
  // One without an answer of `Commands`, and so without a code of its own.
  'command-refused': 'unauthorized',
  // Codes that answer a subscribe are a closed set (AEP-0003 §6.5); what ends the connection follows.
  closing: 'limit-exceeded',
  unavailable: undefined,
  overloaded: undefined,
};

/** The one table from what the hub throws to the `error` frame that goes out (AEP-0003 §6.5, AEP-0004 §4.2). */
export function refusalOf(thrown: HubError): HubRefusal<WsErrorCode>;
export function refusalOf(thrown: unknown): HubRefusal<WsErrorCode> | HubRefusal<undefined>;
export function refusalOf(thrown: unknown): HubRefusal<WsErrorCode> | HubRefusal<undefined> {
  if (!isHubError(thrown)) return { code: undefined, detail: '' };
  const { code, detail, refusal } = thrown;
  if (refusal !== undefined) return { code: refusal.code, detail: refusal.detail };
  const wire = CODES[code];
  return wire === undefined ? { code: undefined, detail } : { code: wire, detail };
}

/** By name and code: an app may hold two copies of a package. */
function isHubError(thrown: unknown): thrown is HubError {
  return thrown instanceof Error && thrown.name === 'HubError' && 'code' in thrown && Object.hasOwn(CODES, thrown.code as string);
}
