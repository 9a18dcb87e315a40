import { EXIT } from '../exit-code.js';

/** Why a settings file is left as it is. */
export type SettingsErrorCode = 'broken' | 'unknown-shape' | 'unreadable' | 'unwritable' | 'changed';

/** A settings file that is not touched. The message goes on where the name of the file ends. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly code: SettingsErrorCode;
  /** Wrong input is for the user to mend, a disk that does not take it is a failure. */
  readonly exitCode: number;

  constructor(code: SettingsErrorCode, message: string) {
    super(message);
    this.code = code;
    this.exitCode = code === 'unwritable' || code === 'changed' ? EXIT.failure : EXIT.usage;
  }
}
