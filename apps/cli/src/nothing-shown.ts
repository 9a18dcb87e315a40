import { say } from './stdout.js';

/** Why a look at what is held has shown nothing. */
export interface NothingShown {
  /** Only some Events were asked for. */
  readonly filtered: boolean;
  /** What was there before was left out. */
  readonly resumed: boolean;
}

/** Tells a person, who would take silence for a failure; a script gets silence. */
export function sayNothingShown({ filtered, resumed }: NothingShown, stream: { readonly isTTY?: boolean } = process.stderr): void {
  if (stream.isTTY === true) say(nothingShown({ filtered, resumed }));
}

function nothingShown({ filtered, resumed }: NothingShown): string {
  if (filtered) return resumed ? 'no new Event matches' : 'no Event matches';
  return resumed ? 'no new Events' : 'there are no Events';
}
