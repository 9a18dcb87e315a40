import { join } from 'node:path';

import { adapterOf } from '@aepkit/collector/adapters';

/** The agents whose settings `aep hooks` knows. */
export const HOOK_AGENTS = ['claude-code', 'codex', 'gemini-cli'] as const;
export type HookAgentName = (typeof HOOK_AGENTS)[number];

/** How one agent wants its hooks. */
export interface HookAgent {
  readonly name: HookAgentName;
  /** Its name for people. */
  readonly title: string;
  /** The folder of its settings below the home folder or a project, and the variable that names another one. */
  readonly folder: string;
  readonly folderVariable: string | undefined;
  /** The file with the hooks in that folder. */
  readonly file: string;
  /** What a timeout of one second is in its unit. */
  readonly timeoutUnit: 1 | 1000;
  /** Hooks that it ends earlier than others, and after how many seconds. */
  readonly shortHooks: Readonly<Record<string, number>>;
  /** Hooks that it lets answer for the user, and so may be held. */
  readonly heldHooks: readonly string[];
  /** Hooks that the adapter reads and that say nothing of their own: a process less for each call. */
  readonly leftOut: readonly string[];
  /** More members of each handler. */
  readonly handlerExtras: Readonly<Record<string, string>>;
  /** Whether it reads files with comments and trailing commas. */
  readonly readsComments: boolean;
  /** What it takes of the root of the file; undefined where anything may stand there. */
  readonly rootMembers: readonly string[] | undefined;
}

/** How long a hook may take before its agent goes on, in seconds. The shim ends long before. */
export const HOOK_TIMEOUT_S = 5;
/** By how many seconds the timeout of a held hook exceeds the hold. */
export const HOLD_MARGIN_S = 10;
/** What a collector grants that nothing was said to, in seconds. */
export const GRANTED_HOLD_S = 600;
/** Longest hold, in seconds. */
export const MAX_HOLD_S = 3600;

const AGENTS: Readonly<Record<HookAgentName, HookAgent>> = {
  'claude-code': {
    name: 'claude-code',
    title: 'Claude Code',
    folder: '.claude',
    folderVariable: 'CLAUDE_CONFIG_DIR',
    file: 'settings.json',
    timeoutUnit: 1,
    shortHooks: {},
    heldHooks: ['PermissionRequest'],
    // Compaction is reported once, when it is done.
    leftOut: ['PreCompact'],
    handlerExtras: {},
    readsComments: false,
    rootMembers: undefined,
  },
  codex: {
    name: 'codex',
    title: 'Codex',
    folder: '.codex',
    folderVariable: 'CODEX_HOME',
    file: 'hooks.json',
    timeoutUnit: 1,
    shortHooks: { SessionEnd: 3, Interrupt: 3 },
    heldHooks: ['PermissionRequest'],
    leftOut: ['PreCompact'],
    handlerExtras: {},
    readsComments: false,
    rootMembers: ['description', 'hooks'],
  },
  'gemini-cli': {
    name: 'gemini-cli',
    title: 'Gemini CLI',
    folder: '.gemini',
    folderVariable: undefined,
    file: 'settings.json',
    timeoutUnit: 1000,
    shortHooks: {},
    heldHooks: [],
    // Around each request to the model and for each piece of an answer, with the whole conversation.
    leftOut: ['PreCompress', 'BeforeModel', 'BeforeToolSelection', 'AfterModel'],
    handlerExtras: { name: 'aepkit' },
    readsComments: true,
    rootMembers: undefined,
  },
};

/** What is known of an agent. */
export function hookAgent(name: HookAgentName): HookAgent {
  return AGENTS[name];
}

/** The hooks of an agent that become Events, as its adapter lists them. */
export async function hookEvents({ name, leftOut }: HookAgent): Promise<readonly string[]> {
  return (await mappedHooks(name)).filter((event) => !leftOut.includes(event));
}

async function mappedHooks(name: HookAgentName): Promise<readonly string[]> {
  return (await adapterOf(name))?.hooks ?? [];
}

/** Where the settings of an agent stand, for one project or for the user. */
export function settingsPath(agent: HookAgent, { project, home, env }: { project: string | undefined; home: string; env: Readonly<Record<string, string | undefined>> }): string {
  if (project !== undefined) return join(project, agent.folder, agent.file);
  const moved = agent.folderVariable === undefined ? undefined : env[agent.folderVariable];
  return join(moved === undefined || moved === '' ? join(home, agent.folder) : moved, agent.file);
}

/** The timeout of one hook in the unit of the agent. */
export function timeoutFor({ shortHooks, timeoutUnit }: HookAgent, event: string, hold: number | undefined): number {
  const seconds = hold === undefined ? Math.min(HOOK_TIMEOUT_S, shortHooks[event] ?? Infinity) : hold + HOLD_MARGIN_S;
  return seconds * timeoutUnit;
}
