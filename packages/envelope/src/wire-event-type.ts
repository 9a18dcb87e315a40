import type { AepEvent } from './event.js';

/**
 * An Event together with its text. `json` is what goes out again: the received characters, without white space around the
 * object, on one line (no CR, no LF). Digits, escapes and member order are the ones received.
 *
 * When it was parsed from a string that is a part of a larger one, `json` may share its memory with the whole.
 */
export interface WireEvent {
  /** What the text says. Not to be changed: `json` would no longer agree. */
  readonly event: AepEvent;
  /** One JSON object on one line. */
  readonly json: string;
  /**
   * The text exactly as received. Only on a command whose text was not one bare line, because a command reaches its
   * target as it was received, line breaks included (AEP-0004 §4.4).
   */
  readonly received?: string;
}
