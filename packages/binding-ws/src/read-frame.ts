import type { ExactJsonObject } from '@aepkit/envelope';
import type { DeliveredPosition, RosterEntry } from '@aepkit/hub';

import type { Frame, Identity, Role } from './frame.js';
import type { FrameFault, FrameFaultCode } from './frame-fault.js';
import { isRecord, ownMember, ownText } from './own-member.js';

/** What came of a parsed object without a dot in its `type`. */
export type ReadFrame = { readonly type: 'frame'; readonly frame: Frame } | { readonly type: 'unknown' } | FrameFault;

type Reader = (value: ExactJsonObject) => Frame | FrameFault;

/** Checks the members of a frame against AEP-0003 §2. Unknown members are ignored. */
export function readFrame(type: string, value: ExactJsonObject): ReadFrame {
  const reader = READERS.get(type);
  if (reader === undefined) return { type: 'unknown' };
  const read = reader(value);
  return read.type === 'fault' ? read : { type: 'frame', frame: read };
}

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['hello', hello],
  ['subscribe', subscribe],
  ['subscribed', (value) => withId('subscribed', value)],
  ['unsubscribe', (value) => withId('unsubscribe', value)],
  ['unsubscribed', (value) => withId('unsubscribed', value)],
  ['roster', roster],
  ['error', error],
  ['replay-exhausted', replayExhausted],
  ['closing', closing],
  ['ping', (value) => liveness('ping', value)],
  ['pong', (value) => liveness('pong', value)],
]);

function hello(value: ExactJsonObject): Frame | FrameFault {
  const versions = texts(ownMember(value, 'versions'));
  if (versions === undefined || versions.length === 0) {
    return fault('hello', 'version-unsupported', '$.versions: expected a list of strings that is not empty');
  }
  const role = ownMember(value, 'role');
  if (!isRole(role)) return fault('hello', 'invalid-hello', '$.role: expected emitter, consumer or both');
  const identity = ownMember(value, 'identity') ?? undefined;
  if (identity !== undefined && !isRecord(identity)) return fault('hello', 'invalid-hello', '$.identity: expected an object');
  for (const name of ['agent', 'instance'] as const) {
    const text = identity === undefined ? undefined : ownMember(identity, name);
    if (text !== undefined && (typeof text !== 'string' || text === '')) {
      return fault('hello', 'invalid-hello', `$.identity.${name}: expected a string that is not empty`);
    }
  }
  const capabilities = ownMember(value, 'capabilities') ?? undefined;
  if (capabilities !== undefined && !isRecord(capabilities)) return fault('hello', 'invalid-hello', '$.capabilities: expected an object');
  return {
    type: 'hello',
    versions,
    role,
    ...(identity === undefined ? {} : { identity: identityOf(identity) }),
    ...(capabilities === undefined ? {} : { capabilities }),
  };
}

function identityOf(value: ExactJsonObject): Identity {
  const agent = ownText(value, 'agent');
  const instance = ownText(value, 'instance');
  return {
    ...(agent === undefined ? {} : { agent }),
    ...(instance === undefined ? {} : { instance }),
    ...(Object.hasOwn(value, 'card') ? { card: value.card } : {}),
  };
}

function subscribe(value: ExactJsonObject): Frame | FrameFault {
  const id = ownText(value, 'id');
  if (id === undefined || id === '') return fault('subscribe', 'invalid-filter', '$.id: expected a string that is not empty');
  return {
    type: 'subscribe',
    id,
    // Whatever they are, null included: an ignored filter or ceiling would widen delivery.
    ...(Object.hasOwn(value, 'filter') ? { filter: value.filter } : {}),
    ...(Object.hasOwn(value, 'from') ? { from: value.from } : {}),
    ...(Object.hasOwn(value, 'capture') ? { capture: value.capture } : {}),
  };
}

function withId(type: 'subscribed' | 'unsubscribe' | 'unsubscribed', value: ExactJsonObject): Frame | FrameFault {
  const id = ownText(value, 'id');
  return id === undefined || id === '' ? fault(type, 'invalid-request', '$.id: expected a string that is not empty') : { type, id };
}

function roster(value: ExactJsonObject): Frame | FrameFault {
  const id = ownText(value, 'id');
  if (id === undefined || id === '') return fault('roster', 'invalid-request', '$.id: expected a string that is not empty');
  const entries = ownMember(value, 'entries');
  if (entries === undefined) return { type: 'roster', id };
  if (!Array.isArray(entries) || !entries.every(isRosterEntry)) {
    return { ...fault('roster', 'invalid-request', '$.entries: expected a list of objects with a session'), id };
  }
  return { type: 'roster', id, entries };
}

function isRosterEntry(entry: unknown): entry is RosterEntry {
  return isRecord(entry) && typeof ownMember(entry, 'session') === 'string';
}

function error(value: ExactJsonObject): Frame | FrameFault {
  const code = ownText(value, 'code');
  if (code === undefined) return fault('error', 'invalid-request', '$.code: expected a string');
  const id = ownText(value, 'id');
  const cause = ownText(value, 'cause');
  const detail = ownText(value, 'detail');
  const versions = texts(ownMember(value, 'versions'));
  return {
    type: 'error',
    code,
    ...(id === undefined ? {} : { id }),
    ...(cause === undefined ? {} : { cause }),
    ...(versions === undefined ? {} : { versions }),
    ...(detail === undefined ? {} : { detail }),
  };
}

function replayExhausted(value: ExactJsonObject): Frame | FrameFault {
  const sub = ownText(value, 'sub');
  const session = ownText(value, 'session');
  const earliest = ownMember(value, 'earliest');
  const epoch = isRecord(earliest) ? ownMember(earliest, 'epoch') : undefined;
  const seq = isRecord(earliest) ? ownMember(earliest, 'seq') : undefined;
  if (sub === undefined || session === undefined || session === '' || !isCount(epoch) || !isCount(seq)) {
    return fault('replay-exhausted', 'invalid-request', '$: expected sub, session and earliest with epoch and seq');
  }
  return { type: 'replay-exhausted', sub, session, earliest: { epoch, seq } };
}

/** Nobody may rely on a `closing`, so what it gets wrong is left out (AEP-0003 §3.5). */
function closing(value: ExactJsonObject): Frame {
  const delivered = ownMember(value, 'delivered');
  return {
    type: 'closing',
    reason: ownText(value, 'reason') ?? '',
    delivered: Array.isArray(delivered) ? delivered.flatMap((entry: unknown) => deliveredPosition(entry) ?? []) : [],
  };
}

function deliveredPosition(entry: unknown): DeliveredPosition | undefined {
  if (!isRecord(entry)) return undefined;
  const sub = ownText(entry, 'sub');
  const session = ownText(entry, 'session');
  const epoch = ownMember(entry, 'epoch');
  const seq = ownMember(entry, 'seq');
  return sub === undefined || session === undefined || !isCount(epoch) || !isCount(seq) ? undefined : { sub, session, epoch, seq };
}

function liveness(type: 'ping' | 'pong', value: ExactJsonObject): Frame {
  return Object.hasOwn(value, 't') ? { type, t: value.t } : { type };
}

function texts(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
}

function isRole(value: unknown): value is Role {
  return value === 'emitter' || value === 'consumer' || value === 'both';
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function fault(frame: string, code: FrameFaultCode, detail: string): FrameFault {
  return { type: 'fault', code, detail, frame };
}
