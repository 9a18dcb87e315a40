import { spawn } from 'node:child_process';

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Default 120,000. */
  readonly timeoutMs?: number;
  readonly shell?: boolean;
}

/** Runs a program to its end and gives what it wrote; never rejects for its exit code. */
export function command(program: string, args: readonly string[], options: CommandOptions): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: options.timeoutMs ?? 120_000,
      killSignal: 'SIGKILL',
      shell: options.shell ?? false,
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** Runs a program that has to succeed. */
export async function succeed(program: string, args: readonly string[], options: CommandOptions): Promise<string> {
  const { code, stdout, stderr } = await command(program, args, options);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code ?? 'a signal'}:\n${stdout}${stderr}`);
  return stdout;
}

/** The same, some more times: a registry may be slow or away for a moment. */
export async function insist(program: string, args: readonly string[], options: CommandOptions, attempts = 3): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await succeed(program, args, options);
    } catch (error) {
      if (attempt >= attempts) throw error;
    }
  }
}
