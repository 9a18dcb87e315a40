import { Argument, type Command } from 'commander';

import { positive } from './number-flags.js';

/** `aep hooks`. */
export function addHooks(program: Command, done: (code: number) => void): void {
  const hooks = program.command('hooks').description('Put the hooks of aep into the settings of an agent, or take them out.');
  const agents = ['claude-code', 'codex', 'gemini-cli'] as const;
  hooks
    .command('install')
    .description('Add a hook for everything that becomes an Event. What is in the file stays as it is; a copy of it is kept.')
    .addArgument(new Argument('<agent>', 'whose settings').choices(agents))
    .option('--project', 'the settings of the project in this folder, instead of those of the user')
    .option('--hold <seconds>', 'let permission prompts wait so long for an answer from elsewhere, before the agent asks by itself', positive)
    .option('--command <path>', 'the program that the hooks run; default: this one')
    .option('--events <name...>', 'only these hooks')
    .option('--dry-run', 'show what would change, and change nothing')
    .addHelpText('after', '\nExample: aep hooks install claude-code --dry-run')
    .action(async (agent: (typeof agents)[number], options: object) => {
      const { installHooks } = await import('./commands/hooks.js');
      done(await installHooks(agent, options));
    });
  hooks
    .command('uninstall')
    .description('Take the hooks of aep out again; where nothing else has changed since, the file is what it was, to the byte.')
    .addArgument(new Argument('<agent>', 'whose settings').choices(agents))
    .option('--project', 'the settings of the project in this folder, instead of those of the user')
    .option('--dry-run', 'show what would change, and change nothing')
    .addHelpText('after', '\nExample: aep hooks uninstall claude-code')
    .action(async (agent: (typeof agents)[number], options: object) => {
      const { uninstallHooks } = await import('./commands/hooks.js');
      done(await uninstallHooks(agent, options));
    });
  hooks
    .command('status')
    .description('Say which hooks are installed, where, with which command, and whether they can work. 1 where those of the agent cannot.')
    .addArgument(new Argument('[agent]', 'whose settings; default: those of all').choices(agents))
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample: aep hooks status claude-code')
    .action(async (agent: (typeof agents)[number] | undefined, options: object) => {
      const { hooksStatus } = await import('./commands/hooks-status.js');
      done(await hooksStatus(agent, options));
    });
}
