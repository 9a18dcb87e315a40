import { AGENT } from './agent.js';

/**
 * The vendor type of a hook that has no mapping: `x.claude-code.session.` and the hook's name in snake case, each inner
 * capital starting a word
 * (AEP-0002 Annex A).
 */
export function vendorType(hook: string): string {
  const words = hook.replace(/(?<!^)(?=[A-Z])/g, '_').toLowerCase();
  const token = words.replace(/[^a-z0-9_]/g, '_').slice(0, MAX_TOKEN_LENGTH);
  return `x.${AGENT}.session.${token}`;
}

const MAX_TOKEN_LENGTH = 64;
