/** Exit codes of `aep`. */
export const EXIT = {
  ok: 0,
  /** The command did its work and the answer is no, or it failed. */
  failure: 1,
  /** Wrong flags, arguments or settings. */
  usage: 2,
  /** A command was refused, by its target or by the endpoint. */
  refused: 3,
  /** No answer came in time. */
  timeout: 4,
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
