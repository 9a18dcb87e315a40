import { join } from 'node:path';

/** What the folder of spools depends on. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Home folder of the user. */
  readonly home: string;
}

/**
 * The folder with the spools of a user: the place the platform has for the state of programs.
 *
 * `AEP_SPOOL` names another one; with `off` there is none, and undefined is given.
 */
export function spoolRoot({ platform, env, home }: Surroundings): string | undefined {
  const given = env.AEP_SPOOL;
  if (given === 'off') return undefined;
  if (given !== undefined && given !== '') return given;
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'aepkit', 'spool');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'aepkit', 'spool');
  const state = env.XDG_STATE_HOME;
  return join(state?.startsWith('/') === true ? state : join(home, '.local', 'state'), 'aepkit', 'spool');
}

/**
 * The name of the spool for one endpoint. All spellings of this machine are one target: `local-8787`. Others hold scheme, host,
 * port and path; different ones have different names. Credentials and queries are left out.
 */
export function targetName(url: URL): string {
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  const path = url.pathname.replace(/\/+$/, '');
  const host = isLoopback(url.hostname) ? `local-${port}` : `${url.protocol.slice(0, -1)}-${url.hostname}-${port}`;
  return `${host}${path}`.replace(/[^A-Za-z0-9.-]/g, (character) => `_${character.charCodeAt(0).toString(16).padStart(2, '0')}`).slice(0, 240);
}

/** Whether a host of a URL is this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
