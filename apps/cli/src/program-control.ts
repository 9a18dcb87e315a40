import { Argument, type Command } from 'commander';

import { positive, whole } from './number-flags.js';

const CODES = '\nExit codes: 0 accepted, 1 nobody answers under the URL, 2 wrong usage, 3 refused, 4 no answer in time.';

/** The commands that speak to agents. */
export function addControl(program: Command, done: (code: number) => void): void {
  asking(
    program
      .command('inbox')
      .description('Show the requests that wait for somebody, and answer them: on a terminal it asks, else it lists them.')
      .option('--session <session...>', 'only these sessions')
      .option('--list', 'list them and end, on a terminal too')
      .option('-i, --interactive', 'ask, where standard input is no terminal too')
      .option('--watch', 'wait for more when all is answered')
      .option('--json', 'print each request as it was received'),
  )
    .addHelpText('after', '\nExamples: aep inbox --watch\n          aep inbox --json --session s1')
    .action(async (options: object) => {
      const { inbox } = await import('./commands/inbox.js');
      done(await inbox(options));
    });

  commanding(
    program
      .command('respond')
      .description('Answer a request for attention.')
      .addArgument(new Argument('<request...>', 'the request, or its session and the request'))
      .option('--option <id>', 'one of the options that are offered')
      .option('--text <text>', 'an answer in words, or the reason beside an option')
      .option('--values <json>', 'the answers to a form, a JSON object'),
  )
    .addHelpText('after', `${CODES}\n\nExample: aep respond 01JC8Z5W3V0000000000000000 --option allow --wait 10`)
    .action(async (targets: string[], options: object) => {
      const { respond } = await import('./commands/control.js');
      done(await respond(targets, options));
    });

  commanding(
    program
      .command('cancel')
      .description('Ask an agent to stop: a run, or the whole session.')
      .argument('<session>', 'the session')
      .option('--run <run>', 'only this run')
      .option('--reason <text>', 'why'),
  )
    .addHelpText('after', `${CODES}\n\nExample: aep cancel s1 --run r1`)
    .action(async (session: string, options: object) => {
      const { cancel } = await import('./commands/control.js');
      done(await cancel(session, options));
    });

  for (const [verb, does] of [
    ['pause', 'Ask an agent to pause.'],
    ['resume', 'Ask an agent that pauses to go on.'],
  ] as const) {
    commanding(program.command(verb).description(does).argument('<session>', 'the session'))
      .addHelpText('after', `${CODES}\n\nExample: aep ${verb} s1`)
      .action(async (session: string, options: object) => {
        const { pauseOrResume } = await import('./commands/control.js');
        done(await pauseOrResume(`control.${verb}`, session, options));
      });
  }

  asking(program.command('roster').description('List the sessions that connected agents say are theirs, and what they take.').option('--json', 'print each entry as a JSON object'))
    .addHelpText('after', '\nExample: aep roster')
    .action(async (options: object) => {
      const { roster } = await import('./commands/roster.js');
      done(await roster(options));
    });
}

function asking(command: Command): Command {
  return command.option('--url <url>', 'the collector or relay').option('--token-file <file>', 'file with a token that may command; default: AEP_TOKEN, then the one of your own collector on this machine');
}

function commanding(command: Command): Command {
  return asking(command)
    .option('--id <id>', 'the id of the command: send one of before again, which is carried out once')
    .option('--ack-window <ms>', 'how long the agent may take to accept; default: what it declares, else 10 s', positive)
    .option('--retries <n>', 'how often to send it again when that passes; default 1', whole)
    .option('--wait <seconds>', 'then wait so long for what comes of it, and print that', positive)
    .option('--json', 'print what became of it as a JSON object');
}
