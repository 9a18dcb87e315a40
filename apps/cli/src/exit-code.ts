/** Exit codes of `aep`. */
export const EXIT = {
  ok: 0,
  /** The command did its work and the answer is no, or it failed. */
  failure: 1,
  /** Wrong flags, arguments or settings. */
  usage: 2,
  /** Ended by Ctrl-C before it was done. */
  interrupted: 130,
} as const;

/** A failure that ends the command with a line on standard error. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.failure) {
    super(message);
    this.exitCode = exitCode;
  }
}
