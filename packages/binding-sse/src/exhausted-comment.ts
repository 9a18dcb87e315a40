import type { Position } from '@aepkit/envelope';

const PREFIX = 'replay-exhausted ';
const MARKER = /^replay-exhausted ([\s\S]+) ([0-9]{1,16}):([0-9]{1,16})$/;

/**
 * Writes the text of the comment that tells of a position older than the buffer, without the colon and the blank in front
 * (AEP-0003 §3.3). CR, LF and NUL of the session are percent-encoded, since the line must neither split nor get lost; so is
 * a `%` that would otherwise read as one of these.
 *
 * @example
 * formatExhausted({ session: 'build 7', epoch: 0, seq: 12 }) // 'replay-exhausted build 7 0:12'
 */
export function formatExhausted(earliest: Position): string {
  const session = earliest.session.replace(/[\0\r\n]|%(?=0[0adAD]|25)/g, escape);
  return `${PREFIX}${session} ${earliest.epoch}:${earliest.seq}`;
}

/** Reads the text of a comment, from the right; `undefined` when it is not what {@link formatExhausted} writes. */
export function parseExhausted(comment: string): Position | undefined {
  const match = MARKER.exec(comment);
  if (match === null) return undefined;
  const [, session = '', epochText = '', seqText = ''] = match;
  const epoch = Number(epochText);
  const seq = Number(seqText);
  if (!Number.isSafeInteger(epoch) || !Number.isSafeInteger(seq)) return undefined;
  return { session: session.replace(/%(?:0[0adAD]|25)/g, unescape), epoch, seq };
}

function escape(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

function unescape(sequence: string): string {
  return String.fromCharCode(Number.parseInt(sequence.slice(1), 16));
}
