import { Argument, Command, CommanderError, Option } from 'commander';

import { collectorCommand } from './commands/collector-command.js';
import type { Configured } from './commands/config.js';
import { relayCommand } from './commands/relay-command.js';
import { CliError, EXIT } from './exit-code.js';
import { positive, whole } from './number-flags.js';
import { addControl } from './program-control.js';
import { addHooks } from './program-hooks.js';
import { quietPipes, say } from './stdout.js';
import { plain } from './terminal.js';
import { VERSION } from './version.js';

const EXIT_CODES = `
Exit codes: 0 done, 1 failed or the answer is no, 2 wrong usage or settings, 3 refused by an agent, 4 no answer in time, 130 interrupted.
Environment: AEP_URL (default http://127.0.0.1:8787), AEP_TOKEN, NO_COLOR.`;

/** Runs `aep` and gives its exit code. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  quietPipes();
  const program = new Command('aep')
    .description('See, keep and check what AI coding agents do.')
    .version(VERSION, '-V, --version', 'Print the version.')
    .helpOption('-h, --help', 'Print help.')
    .addHelpText('after', EXIT_CODES)
    .exitOverride()
    .showHelpAfterError('(aep --help lists the commands)');
  let code: number = EXIT.ok;
  const done = (result: number): void => {
    code = result;
  };
  addCommands(program, done);
  try {
    await program.parseAsync([...argv]);
    return code;
  } catch (error) {
    return report(error);
  }
}

function addCommands(program: Command, done: (code: number) => void): void {
  program.addCommand(collectorCommand(done).copyInheritedSettings(program));
  program.addCommand(relayCommand(done).copyInheritedSettings(program));

  addTail(program, done);
  addArchive(program, done);

  program
    .command('emit')
    .description('Send Events: one made of flags, or a file of them, one JSON object a line (- is standard input).')
    .argument('[file]', 'file of Events, or -')
    .option('--url <url>', 'the collector')
    .option('--type <type>', 'type of the Event, such as progress.status')
    .option('--session <session>', 'session it belongs to')
    .option('--agent <agent>', 'name of the emitter', 'aep-cli')
    .option('--subject <subject>', 'what it is about')
    .option('--run <run>', 'run it belongs to')
    .option('--severity <level>', 'debug, info, notice, warning, error or critical')
    .option('--data <json>', 'payload, a JSON object')
    .option('--seq <n>', 'position in the session; default: a new epoch, the time in milliseconds, and 0', whole)
    .option('--epoch <n>', 'epoch of the position', whole)
    .option('--strict', 'send nothing that aep validate finds fault with, instead of a warning')
    .option('--dry-run', 'print what would be sent')
    .addHelpText('after', '\nExample: aep emit --type progress.status --session s1 --data \'{"phase":"build"}\'')
    .action(async (file: string | undefined, options: object) => {
      const { emit } = await import('./commands/emit.js');
      done(await emit(file, options));
    });

  program
    .command('validate')
    .description('Check Events, one JSON object a line: envelope, payload, and the rules of a stream.')
    .argument('<file>', 'file, or - for standard input')
    .option('--json', 'print each finding as a JSON object')
    .option('--no-stream', 'check each Event by itself')
    .option('--max-line-bytes <n>', 'longest line', positive)
    .addHelpText('after', '\nExample: aep tail --json --no-follow --no-resume | aep validate -')
    .action(async (file: string, options: object) => {
      const { validate } = await import('./commands/validate.js');
      done(await validate(file, options));
    });

  program
    .command('sessions')
    .description('List the sessions that are kept, latest first.')
    .option('--url <url>', 'the collector')
    .option('--limit <n>', 'most sessions', positive, 20)
    .option('--json', 'print each session as a JSON object')
    .addHelpText('after', '\nExample: aep sessions --limit 5')
    .action(async (options: object) => {
      const { sessions } = await import('./commands/sessions.js');
      done(await sessions(options as never));
    });

  // Only for its help: the entry of the program runs it.
  program
    .command('hook')
    .description('Pass one hook call of an agent from standard input to the collector. Never fails, and prints nothing but the answer to a held call.')
    .addArgument(new Argument('<agent>', 'whose hook it is').choices(['claude-code', 'codex', 'gemini-cli']))
    .option('--hold <seconds>', 'how long a permission request may wait for an answer through control')
    .addHelpText('after', '\nExample, in the settings of Claude Code: "command": "aep hook claude-code", "timeout": 5');

  addControl(program, done);
  addHooks(program, done);
  addSpool(program, done);

  program
    .command('demo')
    .description('Play recorded sessions of a real agent through the adapter of the collector.')
    .option('--url <url>', 'the collector')
    .addOption(new Option('--scenario <name>', 'which recording').choices(['success', 'failure', 'approved', 'denied', 'all']).default('all'))
    .option('--pace <ms>', 'milliseconds between hook calls', whole, 300)
    .option('--accepts', 'play an agent instead that asks and takes commands: aep inbox, respond, cancel, pause, resume')
    .option('--token-file <file>', 'with --accepts: file with a token; default: AEP_TOKEN, then the one of your own collector on this machine')
    .addHelpText('after', '\nExamples: aep demo --scenario approved --pace 1000\n          aep demo --accepts')
    .action(async (options: { readonly accepts?: boolean; readonly tokenFile?: string }) => {
      if (options.accepts === true) {
        const { demoAccepts } = await import('./commands/demo-accepts.js');
        done(await demoAccepts(options));
        return;
      }
      const { demo } = await import('./commands/demo.js');
      done(await demo(options as never));
    });

  program
    .command('weida')
    .description('Look at the wire protocol weida 0.')
    .command('inspect')
    .description('Print the frames of a stream, where each begins, and what is wrong.')
    .argument('<input>', 'file, - for standard input, or hex digits')
    .addOption(new Option('--stream <role>', 'where it comes from; checks which frame may stand there').choices(['uni', 'initiating', 'reply', 'control', 'transfer', 'reverse']))
    .option('--max-header-bytes <n>', 'longest header', positive)
    .option('--json', 'print each finding as a JSON object')
    .addHelpText('after', '\nExample: aep weida inspect 570105a100622f74')
    .action(async (input: string, options: object) => {
      const { weidaInspect } = await import('./commands/weida-inspect.js');
      done(await weidaInspect(input, options));
    });

  const config = program.command('config').description('Settings of the collector and of the relay.');
  const whose = (): Argument => new Argument('[program]', 'whose settings').choices(['collector', 'relay']).default('collector');
  config
    .command('check')
    .description('Say which settings are in force and where each comes from, or what is wrong with them.')
    .addArgument(whose())
    .option('--config <file>', 'configuration file')
    .action(async (program: Configured, options: { config?: string }) => {
      const { checkConfig } = await import('./commands/config.js');
      done(await checkConfig(options.config, program));
    });
  config
    .command('reference')
    .description('Print every setting: file, flag, environment, default, meaning.')
    .addArgument(whose())
    .action(async (program: Configured) => {
      const { printReference } = await import('./commands/config.js');
      done(await printReference(program));
    });
}

function addSpool(program: Command, done: (code: number) => void): void {
  const spool = program.command('spool').description('Hook calls that wait for a collector.');
  spool
    .command('status', { isDefault: true })
    .description('Tell what waits for whom, and what was dropped since no room was left.')
    .option('--json', 'print each target as a JSON object')
    .allowExcessArguments()
    .action(async (options: { json?: boolean }, { args: [extra] }: Command) => {
      if (extra !== undefined) spool.error(spool.args[0] === 'status' ? `error: too many arguments for 'status': ${plain(extra)}` : `error: unknown command '${plain(extra)}' (spool has: status, flush)`);
      const { spoolStatus } = await import('./commands/spool.js');
      done(await spoolStatus(options));
    });
  spool
    .command('flush')
    .description('Deliver what waits for one collector now. A collector on this machine does so by itself.')
    .option('--url <url>', 'the collector')
    .addHelpText('after', '\nExample: aep spool flush --url https://events.example')
    .action(async (options: { url?: string }) => {
      const { flushSpool } = await import('./commands/spool.js');
      done(await flushSpool(options));
    });
}

function addTail(program: Command, done: (code: number) => void): void {
  withFilters(program.command('tail').description('Show Events as they come, of a collector or of logs; continue where the last run stopped.'))
    .argument('[log]', 'a file of Events or a folder of such files, followed through rotation; - is standard input')
    .option('--capture <level>', 'the most that is wanted of each Event: none, metadata, redacted or full')
    .option('--json', 'print each Event as it was received, one a line')
    .option('--live', 'skip what is held already')
    .option('--from-start', 'begin with the first Event that is held, whatever earlier runs have shown')
    .option('-n, --lines <n>', 'begin with the last so many Events of a log', whole)
    .option('--no-follow', 'end when everything held has been shown')
    .option('--no-resume', 'neither read nor keep positions; show everything held')
    .option('--state <file>', 'where positions are kept; default: a file per collector, or log, and filter')
    .option('--count <n>', 'end after so many Events', positive)
    .addHelpText('after', "\nExamples: aep tail --type 'tool.*' --severity warning\n          aep tail -n 20 logs/claude/s1.jsonl")
    .action(async (log: string | undefined, options: object) => {
      const { tail } = await import('./commands/tail.js');
      done(await tail(log, options));
    });
}

function addArchive(program: Command, done: (code: number) => void): void {
  withFilters(program.command('export').description('Write everything that is kept as JSONL: a folder with a file per agent and session, or one stream.'))
    .argument('[target]', 'folder, or - for standard output', '-')
    .option('--data <folder>', 'read this data folder instead of asking a collector; one may be running on it')
    .option('--since <time>', 'Events of this time and later: 2026-01-31T08:00:00Z, 2026-01-31, or how long ago, such as 2h or 7d')
    .option('--until <time>', 'Events of before this time')
    .option('--force', 'put the export in place of one that is in the folder')
    .addHelpText('after', '\nExamples: aep export backup\n          aep export - --session s1 --since 7d > s1.jsonl\n          aep export backup --data ./history')
    .action(async (target: string, options: object) => {
      const { exportEvents } = await import('./commands/export.js');
      done(await exportEvents(target, options));
    });

  program
    .command('import')
    .description('Send logs to a collector: files or folders of JSONL (- is standard input). What is there already stays once, so it can be repeated.')
    .argument('<path...>', 'files, folders, or -')
    .option('--url <url>', 'the collector')
    .option('--keep-going', 'report bad lines and go on; without it the first one ends the import')
    .option('--max-line-bytes <n>', 'longest line', positive)
    .option('--json', 'print the receipt as a JSON object')
    .addHelpText('after', '\nExamples: aep import backup\n          zcat old.jsonl.gz | aep import -')
    .action(async (paths: string[], options: object) => {
      const { importEvents } = await import('./commands/import.js');
      done(await importEvents(paths, options));
    });
}

function withFilters(command: Command): Command {
  return command
    .option('--url <url>', 'the collector')
    .option('--type <type...>', 'types, or prefixes such as tool.*')
    .option('--session <session...>', 'sessions')
    .option('--agent <agent...>', 'agents')
    .option('--source <source...>', 'sources')
    .option('--severity <level>', 'this severity and above: debug, info, notice, warning, error or critical')
    .option('--filter <json>', 'a filter in attr-match; other filter flags are added to it');
}

/** Says what went wrong, without a stack: one line, and the exit code for its kind. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof CliError) {
    say(`aep: ${plain(error.message)}`);
    return error.exitCode;
  }
  const { name = '', code = '', message = String(error) } = error instanceof Error ? (error as Error & { code?: string }) : {};
  const hint = name === 'AccessConfigError' ? HINTS[code] : undefined;
  say(`aep: ${plain(hint ?? message)}`);
  return name === 'ConfigError' || name === 'AccessConfigError' || UNUSABLE_SETTINGS.has(code) ? EXIT.usage : EXIT.failure;
}

/** What a library says in the names of its options, in those of the settings. */
const HINTS: Readonly<Record<string, string | undefined>> = {
  'token-required': 'a host other than loopback needs a token, always: set AEP_TOKEN or token-file',
  'tls-required': 'a host other than loopback needs TLS: set tls-cert and tls-key, or tls-proxy where a proxy terminates it',
  'invalid-url': 'public-url takes absolute http or https URLs, such as https://aep.example',
  'invalid-origin': 'allowed-origin takes origins, such as https://dash.example: scheme, host and port alone',
};

/** Codes of EndpointError that blame a setting or a file it names. */
const UNUSABLE_SETTINGS: ReadonlySet<string> = new Set(['config-unreadable', 'token-file-unusable', 'tls-unusable', 'owner-token-unusable', 'upstream-unusable']);
