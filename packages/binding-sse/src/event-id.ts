import type { Position } from '@aepkit/envelope';

/** Longest `id:` value that is written, in bytes of UTF-8. nginx takes header lines of 8 KB, Node 16 KB for all of them. */
export const MAX_EVENT_ID_BYTES = 4096;

const POSITION = /^[0-9]{1,16}$/;

/**
 * Writes a position as the `id:` field of an SSE message: `{session}:{epoch}:{seq}` (AEP-0003 §3.3).
 *
 * `undefined` where the session cannot go out as an id and come back in a `Last-Event-ID` header: it is empty, holds a
 * control character (a tab inside excepted), begins with a blank or tab, which the header would lose, or makes the id
 * longer than {@link MAX_EVENT_ID_BYTES}. Such an Event is sent without an id, and resumed through `from`.
 *
 * @example
 * formatEventId({ session: 'a:b', epoch: 3, seq: 17 }) // 'a:b:3:17'
 */
export function formatEventId(position: Position): string | undefined {
  const { session } = position;
  if (session === '' || !travels(session)) return undefined;
  return `${session}:${position.epoch}:${position.seq}`;
}

/**
 * Reads the value of an `id:` field or of a `Last-Event-ID` header, from the right: `epoch` and `seq` are behind the last two
 * colons, whatever the session holds (AEP-0003 §3.3). `undefined` when it is none.
 *
 * @example
 * parseEventId('a:b:c:3:17') // { session: 'a:b:c', epoch: 3, seq: 17 }
 */
export function parseEventId(id: string): Position | undefined {
  const last = id.lastIndexOf(':');
  const middle = last > 0 ? id.lastIndexOf(':', last - 1) : -1;
  if (middle < 1) return undefined;
  const epoch = wholeNumber(id.slice(middle + 1, last));
  const seq = wholeNumber(id.slice(last + 1));
  if (epoch === undefined || seq === undefined) return undefined;
  return { session: id.slice(0, middle), epoch, seq };
}

function wholeNumber(text: string): number | undefined {
  if (!POSITION.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}

function travels(session: string): boolean {
  let bytes = 36;
  for (let index = 0; index < session.length; index += 1) {
    const unit = session.charCodeAt(index);
    if (unit < 0x20 ? unit !== 0x09 : unit === 0x7f) return false;
    bytes += unit < 0x80 ? 1 : unit < 0x800 ? 2 : unit >= 0xd800 && unit < 0xe000 ? 2 : 3;
  }
  const first = session.charCodeAt(0);
  return first !== 0x09 && first !== 0x20 && bytes <= MAX_EVENT_ID_BYTES;
}
