/** The thirteen categories of core types (AEP-0001 §6). */
export const CATEGORIES: readonly string[] = Object.freeze([
  'agent',
  'session',
  'run',
  'progress',
  'tool',
  'delegation',
  'attention',
  'resource',
  'error',
  'state',
  'assessment',
  'message',
  'control',
]);

const CORE = new RegExp(`^(?:${CATEGORIES.join('|')})(?:\\.[a-z0-9_]+)+$`);
const VENDOR = /^x\.[a-z0-9_-]+\.[a-z0-9_]+(?:\.[a-z0-9_]+)+$/;
const VENDOR_COMMAND = /^x\.[a-z0-9_-]+\.control(?:\.[a-z0-9_]+)+$/;

/** Whether a type follows the grammar of AEP-0001 §6, registered or not. */
export function isEventType(type: string): boolean {
  return type.charCodeAt(0) === 0x78 ? VENDOR.test(type) : CORE.test(type);
}

/** Whether a type is a well-formed vendor type, `x.{vendor}.{category}.{rest}` (AEP-0001 §6). */
export function isVendorType(type: string): boolean {
  return VENDOR.test(type);
}

/** Whether Events of this type are about an agent and carry no `session`, `run`, `step` or `seq` (AEP-0001 §5.2). */
export function isAgentScoped(type: string): boolean {
  return type.startsWith('agent.');
}

/**
 * Whether Events of this type come from somebody other than the owner of the session, and so carry `session` and no
 * `seq`: the commands and `attention.routed` (AEP-0001 §5.2). The acks `control.accepted` and `control.rejected` do not.
 */
export function isForeignEmitter(type: string): boolean {
  return type === 'attention.routed' || isCommand(type);
}

/** Whether a type is a command: one of the four core ones or `x.{vendor}.control.…` (AEP-0001 §5.2, AEP-0004 §2). */
export function isCommand(type: string): boolean {
  if (type.charCodeAt(0) === 0x78) return VENDOR_COMMAND.test(type);
  switch (type) {
    case 'control.attention.respond':
    case 'control.cancel':
    case 'control.pause':
    case 'control.resume':
      return true;
    default:
      return false;
  }
}
