import type { Settings, Values } from '@aepkit/config';
import { endpointSettings } from '@aepkit/endpoint/settings';

const own = {
  upstream: {
    type: 'list',
    env: 'AEP_UPSTREAM',
    default: [],
    help: 'URLs of the endpoints to draw from, such as `http://127.0.0.1:8787`; without one the relay offers what is sent to it.',
  },
  'upstream-token-file': {
    type: 'string',
    env: 'AEP_UPSTREAM_TOKEN_FILE',
    default: undefined,
    help: 'File with the token for the upstream, or with a line `URL token` for each.',
  },
  'upstream-token': {
    type: 'string',
    env: 'AEP_UPSTREAM_TOKEN',
    default: undefined,
    secret: true,
    flag: false,
    help: 'The token for the only upstream. Not a flag, since command lines are visible to other users.',
  },
  buffer: {
    type: 'integer',
    env: 'AEP_BUFFER',
    default: 10_000,
    min: 1,
    max: 1_000_000_000,
    help: 'Replay depth: the Events of a session that a consumer can resume behind. Advertised as `replay.buffer`.',
  },
  'buffer-bytes': {
    type: 'integer',
    env: 'AEP_BUFFER_BYTES',
    default: 268_435_456,
    min: 1_048_576,
    max: 1_099_511_627_776,
    unit: 'bytes',
    help: 'Memory that all held Events may take together.',
  },
  sessions: { type: 'integer', env: 'AEP_SESSIONS', default: 1000, min: 1, max: 10_000_000, help: 'Sessions that are held; the one that was silent longest goes first.' },
  'owner-token': {
    type: 'string',
    env: 'AEP_OWNER_TOKEN_FILE',
    default: undefined,
    help: 'File in which a relay without configured tokens leaves the one of its owner while it runs, so that commands can be sent.',
  },
} as const;

(own satisfies Settings);

/** Every setting of the relay: the file, the environment, the flags and the reference page come from here. */
export const relaySettings: typeof own & typeof endpointSettings = { ...own, ...endpointSettings };

/** Settled values of {@link relaySettings}. */
export type RelayValues = Values<typeof relaySettings>;
