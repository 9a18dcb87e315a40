import type { AdapterDefinition } from '@aepkit/adapter-kit';

/** The adapters that there are, by agent; one is loaded when it is asked for. */
export const ADAPTERS: Readonly<Record<string, () => Promise<AdapterDefinition>>> = Object.freeze({
  'claude-code': async () => (await import('@aepkit/adapter-claude-code')).adapter,
  codex: async () => (await import('@aepkit/adapter-codex')).adapter,
  'gemini-cli': async () => (await import('@aepkit/adapter-gemini-cli')).adapter,
});

/** The adapter of an agent, undefined where there is none. */
export async function adapterOf(agent: string): Promise<AdapterDefinition | undefined> {
  return Object.hasOwn(ADAPTERS, agent) ? await ADAPTERS[agent]?.() : undefined;
}
