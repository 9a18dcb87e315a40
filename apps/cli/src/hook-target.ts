import { homedir } from 'node:os';
import { join } from 'node:path';

import type { CaptureSettings } from '@aepkit/collector/capture-options';
import { isLoopback, spoolRoot, targetName } from '@aepkit/spool/place';

/** How long the shim waits for a collector on this machine, in milliseconds. */
export const DEFAULT_HOOK_TIMEOUT_MS = 250;
/** How long it waits for one elsewhere. */
export const DEFAULT_REMOTE_HOOK_TIMEOUT_MS = 2000;
/** What the spool of one endpoint may occupy, in bytes: 65,536 calls. */
export const DEFAULT_HOOK_SPOOL_BYTES = 268_435_456;

/** Environment of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where hook calls go, and where those wait that do not arrive. */
export interface HookTarget {
  /** The route for hooks of the agent. */
  readonly url: URL;
  readonly token: string | undefined;
  readonly timeoutMs: number;
  /** Whether the endpoint is on this machine, so that a payload may go there as it is. */
  readonly local: boolean;
  /** Folder of the spool; undefined where it is turned off. */
  readonly spool: string | undefined;
  readonly spoolBytes: number;
  /** Ceilings and redaction, for what is read here: what goes to another machine, and what has to wait. */
  readonly capture: CaptureSettings;
  /** Whether calls are read here in any case: what the environment of the agent says of ceilings and secrets holds whatever the endpoint would do. */
  readonly readHere: boolean;
}

/** Reads the environment of a hook. Throws where `AEP_URL` is no URL. */
export function hookTarget(agent: string, env: Environment): HookTarget {
  const base = new URL(env.AEP_URL === undefined || env.AEP_URL === '' ? 'http://127.0.0.1:8787' : env.AEP_URL);
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  const local = isLoopback(base.hostname);
  const root = spoolRoot({ platform: process.platform, env, home: homedir() });
  return {
    url: new URL(`hooks/${encodeURIComponent(agent)}`, base),
    token: env.AEP_TOKEN === '' ? undefined : env.AEP_TOKEN,
    timeoutMs: within(env.AEP_HOOK_TIMEOUT_MS, 1, 60_000) ?? (local ? DEFAULT_HOOK_TIMEOUT_MS : DEFAULT_REMOTE_HOOK_TIMEOUT_MS),
    local,
    spool: root === undefined ? undefined : join(root, 'hooks', targetName(base)),
    spoolBytes: within(env.AEP_SPOOL_BYTES, 4096, Number.MAX_SAFE_INTEGER) ?? DEFAULT_HOOK_SPOOL_BYTES,
    capture: captureOf(env),
    readHere: READ_HERE.some((name) => (env[name] ?? '') !== '') || !['', 'default', 'redacted', 'full'].includes(env.AEP_CAPTURE ?? ''),
  };
}

const READ_HERE = ['AEP_CAPTURE_CATEGORY', 'AEP_REDACT_ENV', 'AEP_REDACT_FILE', 'AEP_REDACT_PREFIX', 'AEP_REDACT_HOME'];

/** The variables that the collector takes its settings from, read without what reads settings: an agent waits for this. */
function captureOf(env: Environment): CaptureSettings {
  return {
    capture: env.AEP_CAPTURE === undefined || env.AEP_CAPTURE === '' ? 'default' : env.AEP_CAPTURE,
    categories: list(env.AEP_CAPTURE_CATEGORY),
    secretVariables: list(env.AEP_REDACT_ENV),
    secretFile: env.AEP_REDACT_FILE === '' ? undefined : env.AEP_REDACT_FILE,
    tokenPrefixes: list(env.AEP_REDACT_PREFIX),
    homes: [homedir(), ...list(env.AEP_REDACT_HOME)],
    pii: !['false', '0', 'no', 'off'].includes((env.AEP_REDACT_PII ?? '').toLowerCase()),
  };
}

function list(text = ''): string[] {
  return text.split(',').map((item) => item.trim()).filter((item) => item !== '');
}

function within(text: string | undefined, min: number, max: number): number | undefined {
  const value = text === undefined || !/^\d{1,16}$/.test(text) ? NaN : Number(text);
  return value >= min && value <= max ? value : undefined;
}
