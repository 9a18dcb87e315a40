import { rmdir } from 'node:fs/promises';

import { EXIT } from '../exit-code.js';
import { codexState } from '../hooks/codex-state.js';
import { GRANTED_HOLD_S, type HookAgent, hookAgent, type HookAgentName } from '../hooks/hook-agent.js';
import { type InstallFlags, inFile, settingsState, type SettingsState, shownPath, untouchedOriginal, wantedHooks } from '../hooks/hook-plan.js';
import { addHooks, complaintAbout, findHooks, isInstalled, removeHooks, type WantedHook } from '../hooks/hook-settings.js';
import { sha256 } from '../hooks/settings-backup.js';
import { decodeSettings, readSettings, replaceSettings } from '../hooks/settings-file.js';
import { textDiff } from '../hooks/text-diff.js';
import { print, say } from '../stdout.js';
import { painter, plain } from '../terminal.js';

/** Puts the hooks of an agent into its settings. */
export async function installHooks(name: HookAgentName, flags: InstallFlags): Promise<number> {
  const agent = hookAgent(name);
  const wanted = await wantedHooks(agent, flags);
  const state = await settingsState(name, flags.project === true);
  return inFile(state.shown, async () => {
    const complaint = complaintAbout(state.text, agent);
    if (complaint !== undefined) say(plain(`warning: ${state.shown}: ${complaint}`));
    if (isInstalled(state.found, wanted)) {
      say(plain(`nothing to do: ${count(wanted.length)} for ${agent.title} in ${state.shown} already`));
      await advise(agent, state.shown, flags);
      return EXIT.ok;
    }
    const base = await baseOf(state);
    const before = decodeSettings({ path: state.file.path, bytes: base });
    const next = Buffer.from(before.mark + addHooks(before.text, agent, wanted));
    if (flags.dryRun === true) return showDiff(state, next);
    await write(state, base, next, wanted, flags.project === true);
    say(plain(`${count(wanted.length)} for ${agent.title} in ${state.shown}`));
    say(plain(`command: ${wanted[0]?.command ?? ''}`));
    await advise(agent, state.shown, flags);
    return EXIT.ok;
  });
}

/** The bytes without any hook of ours. */
async function baseOf(state: SettingsState): Promise<Buffer | undefined> {
  if (state.found.length === 0) return state.file.bytes;
  const untouched = await untouchedOriginal(state);
  return untouched === undefined ? withoutHooks(state) : untouched.bytes;
}

async function withoutHooks({ agent, backup, record, mark, text, known }: SettingsState): Promise<Buffer | undefined> {
  const original = record?.existed === true ? await backup.original() : undefined;
  const before = original === undefined ? undefined : decodeSettings({ path: '', bytes: original }).text;
  const rest = removeHooks(text, agent, known, before);
  // What would be left of a file that the hooks brought along.
  if (record?.existed === false && /^\s*\{\s*\}\s*$/.test(rest)) return undefined;
  return Buffer.from(mark + rest);
}

async function write(state: SettingsState, base: Buffer | undefined, next: Buffer, wanted: readonly WantedHook[], project: boolean): Promise<void> {
  const { file, backup, record } = state;
  if (file.bytes !== undefined) say(plain(`the file as it was: ${await backup.keep(file.bytes, new Date())}`));
  // Ahead of the file itself: a command that nothing remembers would never be found again.
  const entry = {
    version: 1 as const,
    path: file.path,
    existed: base !== undefined,
    folders: base === undefined ? (record?.folders ?? []) : [],
    written: sha256(next),
    commands: [...new Set([...wanted.map(({ command }) => command), ...state.found.map(({ command }) => command)])],
  };
  await backup.remember(entry, base);
  const made = await replaceSettings(file, next, project ? 0o666 : 0o600);
  if (made.length > 0) await backup.remember({ ...entry, folders: made }, base);
}

/** Takes the hooks of an agent out of its settings. */
export async function uninstallHooks(name: HookAgentName, flags: { readonly project?: boolean; readonly dryRun?: boolean }): Promise<number> {
  const state = await settingsState(name, flags.project === true);
  return inFile(state.shown, async () => {
    const { agent, shown, file, found, record, backup } = state;
    if (found.length === 0) {
      say(plain(`nothing to do: no hook of aep for ${agent.title} in ${shown}`));
      if (flags.dryRun !== true) await backup.forget();
      return EXIT.ok;
    }
    const next = await baseOf(state);
    if (flags.dryRun === true) return showDiff(state, next);
    if (file.bytes !== undefined) say(plain(`the file as it was: ${await backup.keep(file.bytes, new Date())}`));
    await replaceSettings(file, next, 0o600);
    if (next === undefined) for (const folder of record?.folders.toReversed() ?? []) await rmdir(folder).catch(() => undefined);
    await backup.forget();
    say(plain(`${count(found.length)} for ${agent.title} taken out of ${shown}${next === undefined ? ', which held nothing else and is gone' : ''}`));
    return EXIT.ok;
  });
}

async function showDiff({ shown, file }: SettingsState, next: Buffer | undefined): Promise<number> {
  await print(textDiff(shown, file.bytes?.toString(), next?.toString(), painter(process.stdout)));
  say('dry run: nothing was written');
  return EXIT.ok;
}

/** What a user has to know or do for the hooks to run. */
async function advise(agent: HookAgent, shown: string, { project = false, hold }: InstallFlags): Promise<void> {
  const url = process.env.AEP_URL ?? '';
  if (url !== '') say(plain(`Hooks have the environment of the agent, not of this command: set AEP_URL=${url} where you start ${agent.title}, too.`));
  if (hold !== undefined && hold > GRANTED_HOLD_S) say(`A collector holds them for ${GRANTED_HOLD_S} seconds at most, unless it is told more: AEP_HOLD=${agent.name}=${hold}, or "hold" in its configuration.`);
  if (agent.name === 'codex') {
    say('Codex skips hooks that you have not looked at: start codex, enter /hooks, and trust them. It asks again after every change of a hook.');
    const state = await codexState(shown);
    if (state?.off === true) say('warning: hooks are turned off in config.toml: [features] hooks = false');
    if (state?.inline === true) say('Codex also has hooks in config.toml. It runs those of both files, and says at each start that one would do.');
  }
  if (project && agent.name !== 'claude-code') say(`${agent.title} runs the hooks of a project only in a folder that you trust.`);
  const other = shownPath(agent, !project);
  if (other !== shown && (await hasHooks(other, agent))) say(plain(`warning: there are hooks in ${other} as well; where both count, every call may be told twice`));
}

async function hasHooks(path: string, agent: HookAgent): Promise<boolean> {
  try {
    const { text } = decodeSettings(await readSettings(path));
    return text.trim() !== '' && findHooks(text, agent).length > 0;
  } catch {
    return false;
  }
}

function count(hooks: number): string {
  return `${hooks} ${hooks === 1 ? 'hook' : 'hooks'}`;
}
