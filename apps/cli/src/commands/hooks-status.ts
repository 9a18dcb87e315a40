import { constants } from 'node:fs';
import { access, realpath } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

import { endpointOf } from '../endpoint.js';
import { CliError, EXIT } from '../exit-code.js';
import { codexState, trustedCount } from '../hooks/codex-state.js';
import { HOOK_AGENTS, hookAgent, type HookAgentName, hookEvents } from '../hooks/hook-agent.js';
import { parseHookCommand } from '../hooks/hook-command.js';
import { settingsState, type SettingsState, shownPath } from '../hooks/hook-plan.js';
import { complaintAbout, type FoundHook } from '../hooks/hook-settings.js';
import { print } from '../stdout.js';
import { painter, plain } from '../terminal.js';

/** What is known of the hooks in one file. */
interface ScopeStatus {
  readonly agent: HookAgentName;
  readonly scope: 'user' | 'project';
  readonly file: string;
  readonly hooks: readonly { readonly event: string; readonly command: string; readonly timeout?: number; readonly matcher?: string }[];
  /** Hooks that would become Events and are not there. */
  readonly missing: readonly string[];
  /** What keeps them from working. */
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

/** Longest wait for a collector, in milliseconds. */
const HEALTH_TIMEOUT_MS = 1000;

/** Says which hooks are installed and whether they can work. With an agent, 1 is the answer where they are not. */
export async function hooksStatus(name: HookAgentName | undefined, { json }: { readonly json?: boolean }): Promise<number> {
  const scopes: ScopeStatus[] = [];
  for (const agent of name === undefined ? HOOK_AGENTS : [name]) scopes.push(...(await agentStatus(agent)));
  const { url } = endpointOf(undefined);
  const there = await answers(url);
  const collector = { url, answers: there, ...(there && (await isRelay(url)) ? { relay: true } : {}) };
  if (json === true) await print(JSON.stringify({ scopes, collector }));
  else await show(scopes, collector);
  const working = scopes.some(({ hooks, problems }) => hooks.length > 0 && problems.length === 0);
  return name === undefined || working ? EXIT.ok : EXIT.failure;
}

async function agentStatus(name: HookAgentName): Promise<ScopeStatus[]> {
  const agent = hookAgent(name);
  const found: ScopeStatus[] = [];
  for (const scope of ['user', 'project'] as const) {
    const file = shownPath(agent, scope === 'project');
    if (scope === 'project' && file === found[0]?.file) continue;
    found.push(await scopeStatus(name, scope, file));
  }
  return found;
}

async function scopeStatus(agent: HookAgentName, scope: ScopeStatus['scope'], file: string): Promise<ScopeStatus> {
  let state: SettingsState;
  try {
    state = await settingsState(agent, scope === 'project');
  } catch (error) {
    if (error instanceof CliError) return { agent, scope, file, hooks: [], missing: [], problems: [error.message], notes: [] };
    throw error;
  }
  const { found, text } = state;
  const all = await hookEvents(state.agent);
  const problems = found.length === 0 ? [] : [complaintAbout(text, state.agent), turnedOff(text, state.agent.name), ...(await commandProblems(state)), ...timeoutProblems(state)];
  const notes = [...(await codexNotes(state, problems)), ...(found.length === 0 || state.record === undefined ? [] : [`back-ups: ${state.backup.folder}`])];
  return {
    agent,
    scope,
    file,
    hooks: found.map(({ event, command, timeout, matcher }) => ({ event, command, ...(timeout === undefined ? {} : { timeout }), ...(matcher === undefined ? {} : { matcher }) })),
    missing: found.length === 0 ? [] : all.filter((event) => !found.some((hook) => hook.event === event)),
    problems: problems.filter((problem) => problem !== undefined),
    notes,
  };
}

/** Switches of the agent itself that keep hooks from running. */
function turnedOff(text: string, agent: HookAgentName): string | undefined {
  if (agent === 'claude-code' && /"disableAllHooks"\s*:\s*true/.test(text)) return 'hooks are turned off in this file: "disableAllHooks": true';
  if (agent === 'gemini-cli' && /"hooksConfig"\s*:\s*\{[^{}]*"enabled"\s*:\s*false/.test(text)) return 'hooks are turned off in this file: "hooksConfig": { "enabled": false }';
  return undefined;
}

async function commandProblems({ found, agent, known }: SettingsState): Promise<string[]> {
  const problems: string[] = [];
  for (const command of new Set(found.map((hook) => hook.command))) {
    for (const [index, word] of (parseHookCommand(command, agent.name, known)?.program ?? []).entries()) {
      if (!(await isThere(word, index === 0))) problems.push(isAbsolute(word) ? `${word} does not exist${index === 0 ? ' or cannot be run' : ''}` : `${word} is not on the path`);
    }
  }
  return [...new Set(problems)];
}

async function isThere(word: string, runs: boolean): Promise<boolean> {
  const names = process.platform === 'win32' && runs ? [word, `${word}.exe`, `${word}.cmd`] : [word];
  const places = isAbsolute(word) ? names : (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  for (const place of places) {
    if (await access(place, runs ? constants.X_OK : constants.R_OK).then(() => true, () => false)) return true;
  }
  return false;
}

/** Timeouts in the unit of another agent are the commonest fault of hooks: too long to ever end, or too short to begin. */
function timeoutProblems({ found, agent }: SettingsState): string[] {
  const unit = agent.timeoutUnit === 1 ? 'seconds' : 'milliseconds';
  const wrong = ({ timeout }: FoundHook): boolean => timeout !== undefined && (agent.timeoutUnit === 1 ? timeout > 86_400 : timeout < 500);
  const short = ({ command, timeout, event }: FoundHook): boolean => {
    const hold = parseHookCommand(command, agent.name, [command])?.hold;
    return hold !== undefined && timeout !== undefined && timeout <= hold * agent.timeoutUnit && agent.heldHooks.includes(event);
  };
  return [
    ...found.filter(wrong).map(({ event, timeout }) => `the timeout of ${event} is ${timeout ?? ''} ${unit}`),
    ...found.filter(short).map(({ event }) => `the timeout of ${event} is not longer than its --hold`),
  ];
}

async function codexNotes({ agent, found, shown, file }: SettingsState, problems: (string | undefined)[]): Promise<string[]> {
  if (agent.name !== 'codex' || found.length === 0) return [];
  const state = await codexState(shown);
  if (state === undefined) {
    problems.push('config.toml beside it cannot be read, and Codex does not start');
    return [];
  }
  if (state.off) problems.push('hooks are turned off in config.toml: [features] hooks = false');
  const real = await realpath(shown).catch(() => file.path);
  const trusted = trustedCount(state, [shown, file.path, real], found);
  return [
    trusted === found.length ? 'all of them were trusted in Codex' : `${trusted} of ${found.length} were trusted in Codex, which skips the others without a word: enter /hooks there`,
    ...(state.inline ? ['config.toml beside it has hooks as well; Codex runs those of both'] : []),
  ];
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(new URL('healthz', url), { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS), redirect: 'error' })).ok;
  } catch {
    return false;
  }
}

/** Whether the endpoint says that it is a relay, which takes Events and no hook calls. */
async function isRelay(url: string): Promise<boolean> {
  try {
    const response = await fetch(new URL('.well-known/aep', url), { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS), redirect: 'error' });
    return response.ok && ((await response.json()) as { readonly role?: unknown } | null)?.role === 'relay';
  } catch {
    return false;
  }
}

/** What is there under the URL that hooks send to. */
interface CollectorStatus {
  readonly url: string;
  readonly answers: boolean;
  readonly relay?: boolean;
}

async function show(scopes: readonly ScopeStatus[], collector: CollectorStatus): Promise<void> {
  const paint = painter(process.stdout);
  for (const { agent, scope, file, hooks, missing, problems, notes } of scopes) {
    const amount = hooks.length === 0 ? 'not installed' : missing.length === 0 ? `${hooks.length} hooks` : `${hooks.length} hooks, without ${missing.join(', ')}`;
    await print(plain(`${agent}  ${scope}  ${file}: ${amount}`));
    for (const command of new Set(hooks.map((hook) => hook.command))) {
      const of = hooks.filter((hook) => hook.command === command);
      await print(paint.dim(plain(`  ${of.length === hooks.length ? 'all' : of.map(({ event }) => event).join(', ')}: ${command}`)));
    }
    for (const { event, matcher } of hooks.filter((hook) => hook.matcher !== undefined)) await print(plain(`  ${event} only for ${matcher ?? ''}`));
    for (const problem of problems) await print(paint.red(plain(`  problem: ${problem}`)));
    for (const note of notes) await print(plain(`  ${note}`));
  }
  await print(plain(`collector  ${collector.url}: ${collectorText(collector)}`));
}

function collectorText({ answers: there, relay }: CollectorStatus): string {
  if (relay === true) return 'is a relay, which takes no hook calls: they are lost; let AEP_URL name a collector';
  return there ? 'answers' : 'does not answer; calls wait in the spool (aep spool)';
}
