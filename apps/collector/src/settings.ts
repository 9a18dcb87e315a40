import type { Settings, Values } from '@aepkit/config';
import { endpointSettings } from '@aepkit/endpoint/settings';

const own = {
  data: {
    type: 'string',
    env: 'AEP_DATA',
    default: undefined,
    defaultText: 'a folder per user',
    help: 'Folder of the history; made if it is missing, for its owner only.',
  },
  buffer: {
    type: 'integer',
    env: 'AEP_BUFFER',
    default: 1_000_000,
    min: 1,
    max: 1_000_000_000,
    help: 'Replay depth: the Events of a session that a consumer can resume behind. Advertised as `replay.buffer`.',
  },
  spool: {
    type: 'string',
    env: 'AEP_SPOOL',
    default: undefined,
    defaultText: 'a folder per user',
    help: 'Folder in which hooks leave calls while no collector answers; looked at once a second. `off`: none is.',
  },
  capture: {
    type: 'choice',
    env: 'AEP_CAPTURE',
    values: ['default', 'none', 'metadata', 'redacted', 'full'],
    default: 'default',
    help: 'Highest capture level of the Events that are made of hook calls. `default`: `metadata`, and `redacted` for requests to people.',
  },
  'capture-category': {
    type: 'list',
    env: 'AEP_CAPTURE_CATEGORY',
    default: [],
    help: 'Capture levels of categories of Events where they differ, such as `tool=redacted,attention=metadata`.',
  },
  'redact-env': {
    type: 'list',
    env: 'AEP_REDACT_ENV',
    default: [],
    help: 'Names of environment variables whose values are secret: they are taken out of content at `redacted`.',
  },
  'redact-file': {
    type: 'string',
    env: 'AEP_REDACT_FILE',
    default: undefined,
    help: 'File of values that are secret, one a line; read at the start.',
  },
  'redact-prefix': {
    type: 'list',
    env: 'AEP_REDACT_PREFIX',
    default: [],
    help: 'How tokens of your own begin, such as `acme_`: what follows goes at `redacted`.',
  },
  'redact-home': {
    type: 'list',
    env: 'AEP_REDACT_HOME',
    default: [],
    help: 'Home folders that are no `/home/…`, `/Users/…` or `C:\\Users\\…` and become `~` at `redacted`. The one of the user always does.',
  },
  'redact-pii': {
    type: 'boolean',
    env: 'AEP_REDACT_PII',
    default: true,
    help: 'Whether e-mail addresses and telephone numbers go at `redacted`.',
  },
  hold: {
    type: 'list',
    env: 'AEP_HOLD',
    default: [],
    defaultText: '600',
    help: 'For how many seconds at most a permission request may wait for an answer through control, where its hook is installed with `--hold`: `55`, or `claude-code=55` for one agent. 0 is off.',
  },
  synchronous: {
    type: 'choice',
    env: 'AEP_SYNCHRONOUS',
    values: ['normal', 'full'],
    default: 'normal',
    help: 'What an acknowledged Event survives: `normal` the death of the process, `full` that of the machine.',
  },
} as const;

(own satisfies Settings);

/** Every setting of the collector: the file, the environment, the flags and the reference page come from here. */
export const collectorSettings: typeof own & typeof endpointSettings = { ...own, ...endpointSettings };

/** Settled values of {@link collectorSettings}. */
export type CollectorValues = Values<typeof collectorSettings>;
