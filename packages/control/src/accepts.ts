import { DEFAULT_ACK_WINDOW_MS } from './options.js';

/** The command types that a `hello` declares in `capabilities.control.accepts`; `undefined` where it declares none. */
export function acceptsOf(capabilities: unknown): ReadonlySet<string> | undefined {
  const accepts = member(member(capabilities, 'control'), 'accepts');
  if (!Array.isArray(accepts)) return undefined;
  return new Set((accepts as readonly unknown[]).filter((type) => typeof type === 'string'));
}

/**
 * The ack window that a `hello` or a roster entry declares in `control.ack_window_ms`, in milliseconds. Default
 * {@link DEFAULT_ACK_WINDOW_MS}, also where the value makes no sense (AEP-0004 §3).
 *
 * @param control the `control` block, verbatim
 */
export function ackWindowOf(control: unknown): number {
  const window = member(control, 'ack_window_ms');
  return typeof window === 'number' && Number.isFinite(window) && window > 0 ? window : DEFAULT_ACK_WINDOW_MS;
}

/** An own member of an object that a peer has sent. */
export function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
