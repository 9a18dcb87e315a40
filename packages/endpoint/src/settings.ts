import type { Settings, Values } from '@aepkit/config';

/** The settings that every endpoint has: the file, the environment, the flags and the reference page come from here. */
export const endpointSettings = {
  host: {
    type: 'string',
    env: 'AEP_HOST',
    default: '127.0.0.1',
    help: 'Address to listen on. One that other machines reach needs a token and TLS.',
  },
  port: { type: 'integer', env: 'AEP_PORT', default: 8787, min: 0, max: 65_535, help: 'Port to listen on; 0 takes a free one.' },
  'token-file': {
    type: 'string',
    env: 'AEP_TOKEN_FILE',
    default: undefined,
    help: 'File of access tokens, one a line; see the README of access.',
  },
  token: {
    type: 'string',
    env: 'AEP_TOKEN',
    default: undefined,
    secret: true,
    flag: false,
    help: 'One token with every scope. Not a flag, since command lines are visible to other users.',
  },
  'tls-cert': { type: 'string', env: 'AEP_TLS_CERT', default: undefined, help: 'PEM file of the certificate chain; serves HTTPS.' },
  'tls-key': { type: 'string', env: 'AEP_TLS_KEY', default: undefined, help: 'PEM file of the private key.' },
  'tls-proxy': {
    type: 'boolean',
    env: 'AEP_TLS_PROXY',
    default: false,
    help: 'States that a proxy in front terminates TLS.',
  },
  'public-url': {
    type: 'list',
    env: 'AEP_PUBLIC_URL',
    default: [],
    help: 'URLs under which clients reach the endpoint, for example behind a proxy. Their hosts are accepted.',
  },
  'allowed-origin': {
    type: 'list',
    env: 'AEP_ALLOWED_ORIGIN',
    default: [],
    help: 'Origins of web pages that may use the endpoint.',
  },
  'query-tokens': {
    type: 'boolean',
    env: 'AEP_QUERY_TOKENS',
    default: true,
    help: 'Whether `?access_token=` works on `/stream` and `/socket`, for browsers that cannot send a header there.',
  },
  'private-discovery': {
    type: 'boolean',
    env: 'AEP_PRIVATE_DISCOVERY',
    default: false,
    help: 'Whether the discovery document needs a token too.',
  },
  'max-event-bytes': {
    type: 'integer',
    env: 'AEP_MAX_EVENT_BYTES',
    default: 1_048_576,
    min: 1024,
    max: 67_108_864,
    unit: 'bytes',
    help: 'Largest Event.',
  },
  'max-body-bytes': {
    type: 'integer',
    env: 'AEP_MAX_BODY_BYTES',
    default: 16_777_216,
    min: 1024,
    max: 268_435_456,
    unit: 'bytes',
    help: 'Largest request body, inflated.',
  },
  'max-batch': {
    type: 'integer',
    env: 'AEP_MAX_BATCH',
    default: 10_000,
    min: 1,
    max: 1_000_000,
    help: 'Most Events in one request.',
  },
  'max-connections': {
    type: 'integer',
    env: 'AEP_MAX_CONNECTIONS',
    default: 1000,
    min: 1,
    max: 1_000_000,
    help: 'Most consumers at once.',
  },
  'queue-bytes': {
    type: 'integer',
    env: 'AEP_QUEUE_BYTES',
    default: 4_194_304,
    min: 65_536,
    max: 268_435_456,
    unit: 'bytes',
    help: 'What may wait for one slow consumer before `debug` and `info` are dropped and then the consumer.',
  },
  'heartbeat-ms': {
    type: 'integer',
    env: 'AEP_HEARTBEAT_MS',
    default: 15_000,
    min: 1000,
    max: 30_000,
    unit: 'ms',
    help: 'How long a stream may be quiet before a heartbeat.',
  },
  'shutdown-ms': {
    type: 'integer',
    env: 'AEP_SHUTDOWN_MS',
    default: 5000,
    min: 0,
    max: 600_000,
    unit: 'ms',
    help: 'How long a shutdown waits for consumers and commits.',
  },
  'log-level': {
    type: 'choice',
    env: 'AEP_LOG_LEVEL',
    values: ['silent', 'error', 'warn', 'info', 'debug'],
    default: 'info',
    help: 'What goes to standard error.',
  },
} as const;

(endpointSettings satisfies Settings);

/** Settled values of {@link endpointSettings}. */
export type EndpointValues = Values<typeof endpointSettings>;
