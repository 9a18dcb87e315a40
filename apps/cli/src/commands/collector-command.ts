import { collectorSettings } from '@aepkit/collector/settings';
import { flagUsage, type Setting } from '@aepkit/config';
import { Command, Option } from 'commander';

/**
 * The `collector` command: a flag for every setting that has one. Only the declaration of the settings is loaded here; the
 * collector itself when it is to run.
 */
export function collectorCommand(done: (code: number) => void): Command {
  const keys = new Map<string, string>();
  const command = new Command('collector')
    .description('Run the collector: keeps Events on disk and serves them.')
    .option('--config <file>', 'configuration file (TOML); also AEP_CONFIG')
    .addHelpText('after', '\nExample: aep collector --port 9000 --data ./history\nEvery setting: aep config reference');
  for (const [key, setting] of Object.entries<Setting>(collectorSettings)) {
    if (setting.flag === false) continue;
    const option = new Option(flagUsage(key, setting), setting.help.replace(/\.$/, ''));
    keys.set(option.attributeName(), key);
    command.addOption(option);
  }
  return command.action(async ({ config, ...given }: { config?: string } & Record<string, unknown>) => {
    const { runCollector } = await import('@aepkit/collector');
    const flags = Object.fromEntries(Object.entries(given).map(([name, value]) => [keys.get(name) ?? name, value]));
    done(await runCollector({ flags, config, env: process.env }));
  });
}
