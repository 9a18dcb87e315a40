import { once } from 'node:events';

/** Writes a line, or several, to standard output and waits where it is full. */
export async function print(text: string): Promise<void> {
  if (!process.stdout.write(`${text}\n`)) await once(process.stdout, 'drain');
}

/** A reader that has seen enough (`| head`) ends the command quietly; a full disk, or the like, does not. */
export function quietPipes(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    say(`aep: cannot write to standard output: ${error.message}`);
    process.exit(1);
  });
}

/** One line for people. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
