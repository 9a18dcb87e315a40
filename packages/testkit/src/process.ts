import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** How to start a program. */
export interface LaunchOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Written to standard input, which is then closed. Without it standard input stays open. */
  readonly input?: string;
}

/** How a program ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running program. */
export interface Launched {
  readonly child: ChildProcess;
  readonly exit: Promise<Exit>;
  /** All output so far. */
  stdout(): string;
  stderr(): string;
  /** Waits until the combined output matches; rejects with the output when the program ends first. */
  output(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends a signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Exit>;
}

const running = new Set<ChildProcess>();
const killAll = (): void => {
  for (const child of running) child.kill('SIGKILL');
};
process.once('exit', killAll);
// A test runner ends a worker that hangs by a signal, and then nothing tells 'exit'.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.once(signal, () => {
    killAll();
    process.kill(process.pid, signal);
  });
}

/** Starts a program with this Node and follows its output. */
export function launchNode(script: string, options: LaunchOptions = {}): Launched {
  return launch(process.execPath, { ...options, args: [script, ...(options.args ?? [])] });
}

/** Starts a program and follows its output. It is killed with the test process at the latest. */
export function launch(command: string, options: LaunchOptions = {}): Launched {
  const env: NodeJS.ProcessEnv = { ...process.env, ...options.env };
  const child = spawn(command, [...(options.args ?? [])], {
    env,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  running.add(child);
  let stdout = '';
  let stderr = '';
  let ended = false;
  const watchers = new Set<() => void>();
  const changed = (): void => {
    for (const watcher of watchers) watcher();
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    changed();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    changed();
  });
  child.stdin.on('error', () => undefined);
  if (options.input !== undefined) child.stdin.end(options.input);
  const exit = once(child, 'close').then(([code, signal]): Exit => {
    running.delete(child);
    ended = true;
    changed();
    return { code: code as number | null, signal: signal as NodeJS.Signals | null, stdout, stderr };
  });
  exit.catch(() => undefined);
  return {
    child,
    exit,
    stdout: () => stdout,
    stderr: () => stderr,
    output: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const match = pattern.exec(stdout) ?? pattern.exec(stderr);
          if (match !== null) {
            watchers.delete(look);
            resolve(match);
          } else if (ended) {
            watchers.delete(look);
            reject(new Error(`ended before its output matched ${String(pattern)}:\n${stdout}\n${stderr}`));
          }
        };
        watchers.add(look);
        look();
      }),
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      return exit;
    },
  };
}
