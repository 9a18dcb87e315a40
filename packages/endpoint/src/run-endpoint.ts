import { describeSettings, type Resolved, type Settings, type Values } from '@aepkit/config';
import { pino } from 'pino';

import type { EndpointLog } from './endpoint-log.js';
import type { SettingSources } from './load-settings.js';

/** The process an endpoint runs in. */
export interface Surface {
  readonly stderr: { write(text: string): unknown };
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  off(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  exit(code: number): void;
}

/** A program that serves until it is told to stop. */
export interface EndpointProgram<T extends Settings> {
  /** For people: `collector`. */
  readonly name: string;
  readonly settings: T;
  load(sources: SettingSources): Promise<Resolved<T>>;
  start(values: Values<T>, log: EndpointLog): Promise<{ readonly close: () => Promise<void>; /** Ends "… ready at". */ readonly ready: string }>;
}

/**
 * Runs an endpoint until a signal ends it; the second signal ends it at once. Settles with the exit code. One line for people goes to
 * standard error when it serves; the log follows as JSON lines.
 *
 * Rejects with what `load` and `start` reject with: nothing was started.
 */
export async function runEndpoint<T extends Settings>(program: EndpointProgram<T>, sources: SettingSources, surface: Surface = process): Promise<number> {
  const { name } = program;
  const settings = await program.load(sources);
  const level = (settings.values as Readonly<Record<string, unknown>>)['log-level'];
  const log = pino({ level: typeof level === 'string' ? level : 'info', base: null }, pino.destination({ dest: 2, sync: true }));
  log.debug({ settings: describeSettings(program.settings, settings).split('\n') }, 'settings');
  const endpoint = await program.start(settings.values, log);
  surface.stderr.write(`${name} ready at ${endpoint.ready}\n`);
  return await new Promise<number>((resolve) => {
    let asked = false;
    const stop = (): void => {
      if (asked) {
        surface.exit(130);
        return;
      }
      asked = true;
      surface.stderr.write(`${name} stopping\n`);
      const ended = (code: number): void => {
        surface.off('SIGINT', stop);
        surface.off('SIGTERM', stop);
        resolve(code);
      };
      endpoint.close().then(
        () => {
          ended(0);
        },
        (error: unknown) => {
          log.error({ err: error }, `the ${name} did not stop cleanly`);
          ended(1);
        },
      );
    };
    surface.on('SIGINT', stop);
    surface.on('SIGTERM', stop);
  });
}
