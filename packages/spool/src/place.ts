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
  const name = `${host}${path}`.replace(/[^A-Za-z0-9.-]/g, (character) => `_${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
  // Cut alone, two names could be one, and calls would go to the wrong endpoint.
  return name.length <= MAX_NAME_LENGTH ? name : `${name.slice(0, MAX_NAME_LENGTH - 17)}_${fnv(name)}`;
}

/** Longest name of a spool: file systems take 255 bytes. */
const MAX_NAME_LENGTH = 240;

/** FNV-1a with 64 bits: `node:crypto` takes longer to load than a hook has. */
function fnv(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let at = 0; at < text.length; at += 1) hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(at))) * 0x100000001b3n);
  return hash.toString(16).padStart(16, '0');
}

/** Whether a host of a URL is this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
