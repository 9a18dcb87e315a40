import type { DeliveryMode } from './delivery-mode.js';
import { MESSAGE_VERSION } from './message.js';

/** What a peer states in `session.ready` (C2). */
export interface Capabilities {
  readonly protocol: 'aep';
  readonly aep_version: string;
  readonly transports: readonly string[];
  readonly delivery_modes: readonly DeliveryMode[];
  readonly features: readonly string[];
  /** 0: no heartbeats. */
  readonly heartbeat_interval_ms: number;
}

/** The capabilities of one connection. */
export function capabilitiesOf(
  transport: string,
  modes: readonly DeliveryMode[],
  replay: boolean,
  heartbeatIntervalMs: number,
): Capabilities {
  return {
    protocol: 'aep',
    aep_version: MESSAGE_VERSION,
    transports: [transport],
    delivery_modes: modes,
    features: replay ? ['replay'] : [],
    heartbeat_interval_ms: heartbeatIntervalMs,
  };
}

/** The heartbeat that a peer states in `capabilities`; 0 where it states none that makes sense. */
export function heartbeatOf(payload: unknown): number {
  const capabilities = memberOf(payload, 'capabilities');
  const interval = memberOf(capabilities, 'heartbeat_interval_ms');
  return typeof interval === 'number' && Number.isFinite(interval) && interval > 0 ? interval : 0;
}

/** Heartbeats are off unless both peers want them; then the slower one sets the pace (C2). */
export function agreedHeartbeat(ours: number, theirs: number): number {
  return ours > 0 && theirs > 0 ? Math.max(ours, theirs) : 0;
}

/** An own member of what may be an object. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

/** {@link memberOf}, where it is a text. */
export function textOf(value: unknown, name: string): string | undefined {
  const text = memberOf(value, name);
  return typeof text === 'string' ? text : undefined;
}
