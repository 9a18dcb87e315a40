import { describeSettings } from '@aepkit/config';
import { pino } from 'pino';

import { startCollector } from './collector.js';
import { loadSettings, type SettingSources } from './load-settings.js';
import { collectorSettings } from './settings.js';

/** The process a collector runs in. */
export interface Surface {
  readonly stderr: { write(text: string): unknown };
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  off(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  exit(code: number): void;
}

/**
 * Runs a collector until a signal ends it; the second signal ends it at once. Settles with the exit code. One line for people
 * goes to standard error when it serves; the log follows as JSON lines.
 *
 * @throws CollectorError, ConfigError, AccessConfigError: nothing was started.
 */
export async function runCollector(sources: SettingSources, surface: Surface = process): Promise<number> {
  const settings = await loadSettings(sources);
  const log = pino({ level: settings.values['log-level'], base: null }, pino.destination({ dest: 2, sync: true }));
  log.debug({ settings: describeSettings(collectorSettings, settings).split('\n') }, 'settings');
  const collector = await startCollector(settings.values, log);
  surface.stderr.write(`collector ready at ${collector.url}, history in ${collector.data}\n`);
  return await new Promise<number>((resolve) => {
    let asked = false;
    const stop = (): void => {
      if (asked) {
        surface.exit(130);
        return;
      }
      asked = true;
      surface.stderr.write('collector stopping\n');
      const ended = (code: number): void => {
        surface.off('SIGINT', stop);
        surface.off('SIGTERM', stop);
        resolve(code);
      };
      collector.close().then(
        () => {
          ended(0);
        },
        (error: unknown) => {
          log.error({ err: error }, 'the collector did not stop cleanly');
          ended(1);
        },
      );
    };
    surface.on('SIGINT', stop);
    surface.on('SIGTERM', stop);
  });
}
