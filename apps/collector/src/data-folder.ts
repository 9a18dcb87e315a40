import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** What the data folder depends on. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** The folder for a user's data where none is configured: the place the platform has for it. */
export function defaultDataFolder(
  { platform, env, home }: Surroundings = { platform: process.platform, env: process.env, home: homedir() },
): string {
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'aepkit');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'aepkit');
  const data = env.XDG_DATA_HOME;
  return resolve(data?.startsWith('/') === true ? data : join(home, '.local', 'share'), 'aepkit');
}

/** The file with the token of the owner, in a data folder; see `@aepkit/endpoint/owner-token`. */
export function ownerTokenFile(folder: string): string {
  return join(folder, 'owner-token');
}

/** The history in a data folder. */
export function historyFile(folder: string): string {
  return join(folder, 'history.sqlite');
}
