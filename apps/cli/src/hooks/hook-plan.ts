import { homedir } from 'node:os';

import { CliError, EXIT } from '../exit-code.js';
import { stateFolder } from '../position-file.js';
import { hookAgent, type HookAgent, type HookAgentName, hookEvents, MAX_HOLD_S, settingsPath, timeoutFor } from './hook-agent.js';
import { hookCommand, isQuotable } from './hook-command.js';
import { findHooks, type FoundHook, type WantedHook } from './hook-settings.js';
import { ownProgram } from './own-program.js';
import { type InstallRecord, settingsBackup, type SettingsBackup, sha256 } from './settings-backup.js';
import { SettingsError } from './settings-error.js';
import { decodeSettings, readSettings, type SettingsFile } from './settings-file.js';

/** Flags of `aep hooks install`. */
export interface InstallFlags {
  readonly project?: boolean;
  readonly dryRun?: boolean;
  readonly hold?: number;
  readonly command?: string;
  readonly events?: readonly string[];
}

/** A settings file with everything that is known of our hooks in it. */
export interface SettingsState {
  readonly agent: HookAgent;
  /** The file as users name it. */
  readonly shown: string;
  readonly file: SettingsFile;
  readonly mark: string;
  readonly text: string;
  readonly backup: SettingsBackup;
  readonly record: InstallRecord | undefined;
  readonly known: readonly string[];
  readonly found: readonly FoundHook[];
}

/** Where the settings of the user, or of the project in the current folder, stand. */
export function shownPath(agent: HookAgent, project: boolean): string {
  return settingsPath(agent, { project: project ? process.cwd() : undefined, home: homedir(), env: process.env });
}

/** Reads the settings of an agent. */
export async function settingsState(name: HookAgentName, project: boolean): Promise<SettingsState> {
  const agent = hookAgent(name);
  const shown = shownPath(agent, project);
  return inFile(shown, async () => {
    const file = await readSettings(shown);
    const { mark, text } = decodeSettings(file);
    const backup = settingsBackup(stateFolder(), name, file.path);
    const record = await backup.record();
    const known = record?.commands ?? [];
    const found = text.trim() === '' ? [] : findHooks(text, agent, known);
    return { agent, shown, file, mark, text, backup, record, known, found };
  });
}

/** The state from before the hooks came, where nobody has touched the file since: it can be put back as it was. */
export async function untouchedOriginal({ file, record, backup }: SettingsState): Promise<{ bytes: Buffer | undefined } | undefined> {
  if (record === undefined || file.bytes === undefined || sha256(file.bytes) !== record.written) return undefined;
  if (!record.existed) return { bytes: undefined };
  const bytes = await backup.original();
  return bytes === undefined ? undefined : { bytes };
}

/** The hooks that the flags ask for. */
export async function wantedHooks(agent: HookAgent, { hold, command, events }: InstallFlags): Promise<readonly WantedHook[]> {
  if (hold !== undefined && agent.heldHooks.length === 0) throw new CliError(`--hold: ${agent.title} lets no hook answer for its user`, EXIT.usage);
  if (hold !== undefined && hold > MAX_HOLD_S) throw new CliError(`--hold is at most ${MAX_HOLD_S} seconds`, EXIT.usage);
  const all = await hookEvents(agent);
  const unknown = events?.find((event) => !all.includes(event));
  if (unknown !== undefined) throw new CliError(`--events: ${agent.title} has no hook ${unknown} that becomes an Event; there are ${all.join(', ')}`, EXIT.usage);
  const program = programOf(command);
  return all
    .filter((event) => events?.includes(event) ?? true)
    .map((event) => {
      const held = agent.heldHooks.includes(event) ? hold : undefined;
      return { event, command: hookCommand(program, agent.name, held, process.platform), timeout: timeoutFor(agent, event, held) };
    });
}

function programOf(command: string | undefined): readonly string[] {
  const program = command === undefined ? ownProgram({ platform: process.platform, env: process.env, execPath: process.execPath, script: process.argv[1] }) : [command];
  if (program === undefined) throw new CliError('this aep runs out of a cache that is emptied some day, and hooks have to last: npm install -g @aepkit/cli, or name another with --command', EXIT.usage);
  if (!program.every((word) => isQuotable(word, process.platform))) throw new CliError(`${command ?? program.join(' ')} cannot stand in a command line`, EXIT.usage);
  return program;
}

/** Names the file in what is wrong with it. */
export async function inFile<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SettingsError) throw new CliError(`${path} ${error.message}; it is left as it is`, error.exitCode);
    throw error;
  }
}
