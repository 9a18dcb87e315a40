const MAX_TOKEN_LENGTH = 64;

/**
 * The vendor type of a hook that has no mapping: `x.{agent}.session.` and the hook's name in snake case, each inner capital starting a
 * word (AEP-0002 Annex A).
 */
export function vendorType(agent: string, hook: string): string {
  const words = hook.replace(/(?<!^)(?=[A-Z])/g, '_').toLowerCase();
  const token = words.replace(/[^a-z0-9_]/g, '_').slice(0, MAX_TOKEN_LENGTH);
  return `x.${agent}.session.${token}`;
}

/** Type of the mark on a call of a tool that never ended: inferred, and no claim about how it ended. */
export function unfinishedType(agent: string): string {
  return `x.${agent}.tool.unfinished`;
}

/** The category of a type; of a vendor type its third segment. */
export function categoryOf(type: string): string {
  const segments = type.split('.');
  return (segments[0] === 'x' ? segments[2] : segments[0]) ?? '';
}
