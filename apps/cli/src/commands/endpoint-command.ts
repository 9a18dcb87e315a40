import { flagUsage, type Setting, type Settings } from '@aepkit/config';
import { Command, Option } from 'commander';

/** A program that serves, as a command. */
export interface EndpointCommand {
  readonly name: string;
  readonly description: string;
  readonly example: string;
  readonly settings: Settings;
  readonly run: (sources: { readonly flags: Readonly<Record<string, unknown>>; readonly config: string | undefined; readonly env: NodeJS.ProcessEnv }) => Promise<number>;
}

/** A command with a flag for every setting that has one. Only the declaration of the settings is loaded here; the program when it is to run. */
export function endpointCommand({ name, description, example, settings, run }: EndpointCommand, done: (code: number) => void): Command {
  const keys = new Map<string, string>();
  const command = new Command(name)
    .description(description)
    .option('--config <file>', 'configuration file (TOML); also AEP_CONFIG')
    .addHelpText('after', `\nExample: ${example}\nEvery setting: aep config reference${name === 'collector' ? '' : ` ${name}`}`);
  for (const [key, setting] of Object.entries<Setting>(settings)) {
    if (setting.flag === false) continue;
    const option = new Option(flagUsage(key, setting), setting.help.replace(/\.$/, ''));
    // Given several times, it is longer.
    if (setting.type === 'list') option.argParser((text: string, before: readonly string[] | undefined) => [...(before ?? []), ...text.split(',').map((item) => item.trim())]);
    keys.set(option.attributeName(), key);
    command.addOption(option);
  }
  return command.action(async ({ config, ...given }: { config?: string } & Record<string, unknown>) => {
    const flags = Object.fromEntries(Object.entries(given).map(([attribute, value]) => [keys.get(attribute) ?? attribute, value]));
    done(await run({ flags, config, env: process.env }));
  });
}
