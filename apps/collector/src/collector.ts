import { homedir, hostname } from 'node:os';

import { resolveSettings } from '@aepkit/config';
import {
  type EndpointAccess,
  endpointAccess,
  EndpointError,
  endpointHub,
  type EndpointLog,
  keepOwnerToken,
  listen,
  loadTls,
  shutDown,
  SILENT_LOG,
  SOCKET_PATH,
  type TlsPair,
} from '@aepkit/endpoint';
import { createOwnerToken } from '@aepkit/endpoint/owner-token';
import { type History, HistoryError, openHistory } from '@aepkit/history';
import type { HubStats } from '@aepkit/hub';

import { ADAPTERS } from './adapters.js';
import { captureOptions, CaptureSettingError } from './capture-options.js';
import { collectorApp } from './collector-app.js';
import { defaultDataFolder, historyFile, ownerTokenFile } from './data-folder.js';
import { drainSpool, type SpoolDrain } from './drain-spool.js';
import { endpointId } from './endpoint-id.js';
import { heldCalls } from './held-calls.js';
import { keepHoldKeys } from './hold-keys.js';
import { holdTimes } from './hold-setting.js';
import { hookIntake } from './hook-intake.js';
import { makeFolder } from './make-folder.js';
import { type CollectorValues, collectorSettings } from './settings.js';
import { spoolFolders } from './spool-folders.js';
import { VERSION } from './version.js';

/** A collector that serves. */
export interface Collector {
  /** Base URL, with the port that was taken. */
  readonly url: string;
  readonly port: number;
  /** Folder of the history. */
  readonly data: string;
  stats(): HubStats;
  /** Tells consumers, commits what was accepted, closes the history. Settles within `shutdown-ms` and a moment. */
  close(): Promise<void>;
}

/** Sessions, those with the latest Events, that a replay of everything covers. Their names are all it costs. */
const REPLAYED_SESSIONS = 100_000;

/** The values of a collector whose settings nobody touched. */
export function defaultValues(): CollectorValues {
  return resolveSettings(collectorSettings).values;
}

/**
 * Starts a collector: history, hub, bindings, adapters and routes on one port.
 *
 * @param given values that differ from the defaults; see {@link collectorSettings}
 * @throws EndpointError, AccessConfigError
 *
 * @example
 * ```ts
 * const collector = await startCollector({ port: 0, data: '/tmp/history' });
 * console.log(collector.url);
 * await collector.close();
 * ```
 */
export async function startCollector(given: Partial<CollectorValues> = {}, log: EndpointLog = SILENT_LOG): Promise<Collector> {
  const values: CollectorValues = { ...defaultValues(), ...given };
  // All that can be refused without touching the disk comes first.
  const tls = await loadTls(values['tls-cert'], values['tls-key']);
  const who = await endpointAccess({ values, tls: tls !== undefined, owner: true });
  const capture = captureOf(values);
  const holds = holdTimes(values.hold, Object.keys(ADAPTERS));
  const data = values.data ?? defaultDataFolder();
  const history = await openData(data, values);
  try {
    for (const variable of values['redact-env']) {
      if ((process.env[variable] ?? '') === '') log.warn({ variable }, 'redact-env names a variable that is not set, so that no value of it is taken out');
    }
    return await serve({ values, capture, holds, data, history, who, tls, log });
  } catch (error) {
    await history.close();
    throw error;
  }
}

interface ServeParts {
  readonly values: CollectorValues;
  readonly capture: CaptureOptions;
  readonly holds: ReadonlyMap<string, number>;
  readonly data: string;
  readonly history: History;
  readonly who: EndpointAccess;
  readonly tls: TlsPair | undefined;
  readonly log: EndpointLog;
}

async function serve({ values, capture, holds: times, data, history, who, tls, log }: ServeParts): Promise<Collector> {
  const { access, ownerToken, authenticates } = who;
  const id = await endpointId(data);
  const { hub, socket } = endpointHub({ id, role: 'collector', events: history, access, authenticates, values, log });
  const onError = (error: unknown): void => {
    log.error({ err: error }, 'a request failed');
  };
  const definitions = await Promise.all(Object.values(ADAPTERS).map((load) => load()));
  const adapters = definitions.map((definition) => definition.create({ host: hostname() || 'localhost', ...capture }));
  // Those of the spools: which ones they are is known when the port is.
  let drains: readonly SpoolDrain[] = [];
  const ahead = async (): Promise<void> => {
    for (const drain of drains) await drain.ahead();
  };
  const holdKey = createOwnerToken();
  const holds = heldCalls({ hub, definitions, times, key: holdKey, instance: id, log });
  const intake = hookIntake({ adapters, history, hub: holds.hub, ahead });
  holds.start(intake);
  const app = collectorApp({
    hub,
    access,
    history,
    hooks: intake,
    holds,
    version: VERSION,
    maxHookBytes: values['max-body-bytes'],
    maxHookRecords: values['max-batch'],
    http: {
      maxEventBytes: values['max-event-bytes'],
      maxBodyBytes: values['max-body-bytes'],
      maxLines: values['max-batch'],
      onRefusal: (refusal) => {
        log.debug({ refusal }, 'a request was refused');
      },
    },
    sse: {
      heartbeatMs: values['heartbeat-ms'],
      onRefusal: (refusal) => {
        log.debug({ refusal }, 'a stream was refused');
      },
    },
    onError,
  });
  const listening = await listen({ app, host: values.host, port: values.port, tls, sockets: { [SOCKET_PATH]: socket }, onError });
  const owner = await keepOwnerToken({ file: ownerTokenFile(data), token: ownerToken, listening });
  const folders = spoolFolders({ spool: values.spool, url: listening.url, publicUrls: values['public-url'] });
  const holdKeys = await keepHoldKeys({ spools: times.size === 0 ? [] : folders, key: holdKey, url: listening.url }).catch((error: unknown) => {
    log.error({ err: error }, 'the key of held calls cannot be written, so that no hook takes an answer');
    return undefined;
  });
  drains = folders.map((path) => drainSpool({ path, intake, log }));
  const shutDownAll = async (): Promise<void> => {
    // Agents that wait go on by themselves.
    holds.close();
    await holdKeys?.remove();
    await Promise.all(drains.map((drain) => drain.close()));
    await owner.remove();
    await shutDown({ listening, hub, socket, finish: () => history.close(), graceMs: values['shutdown-ms'] });
  };
  let closing: Promise<void> | undefined;
  return {
    url: listening.url,
    port: listening.port,
    data,
    stats: () => hub.stats(),
    close: () => (closing ??= shutDownAll()),
  };
}

type CaptureOptions = ReturnType<typeof captureOptions>;

function captureOf(values: CollectorValues): CaptureOptions {
  try {
    return captureOptions({
      capture: values.capture,
      categories: values['capture-category'],
      secretVariables: values['redact-env'],
      secretFile: values['redact-file'],
      tokenPrefixes: values['redact-prefix'],
      homes: [homedir(), ...values['redact-home']],
      pii: values['redact-pii'],
    });
  } catch (error) {
    if (error instanceof CaptureSettingError) throw new EndpointError('config-unreadable', error.message, { cause: error });
    throw error;
  }
}

async function openData(folder: string, values: CollectorValues): Promise<History> {
  try {
    await makeFolder(folder);
    return await openHistory({
      path: historyFile(folder),
      buffer: values.buffer,
      sessions: REPLAYED_SESSIONS,
      synchronous: values.synchronous === 'full' ? 'FULL' : 'NORMAL',
    });
  } catch (error) {
    const detail = error instanceof HistoryError && error.code === 'locked' ? 'another collector uses it; stop that one, or name another folder with --data' : error instanceof Error ? error.message : String(error);
    throw new EndpointError('data-unusable', `cannot use the data folder ${folder}: ${detail}`, { cause: error });
  }
}
