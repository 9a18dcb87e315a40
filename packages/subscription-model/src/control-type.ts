const CONTROL_FAMILIES: ReadonlySet<string> = new Set(['session', 'subscription', 'capabilities', 'event']);

/**
 * Whether a type belongs to one session and its peers (`session.*`, `subscription.*`, `capabilities.*`, `event.*`): such messages are
 * never routed to subscriptions, which would feed them back into themselves (S-O29).
 */
export function isControlType(type: string): boolean {
  const dot = type.indexOf('.');
  return CONTROL_FAMILIES.has(dot < 0 ? type : type.slice(0, dot));
}
