import { exactJson } from './exact-json.js';
import type { Frame } from './frame.js';

/**
 * The text of a frame. Members that are `undefined` are left out; integers that came in as `bigint` go out with all their
 * digits.
 *
 * @example
 * encodeFrame({ type: 'subscribed', id: 's' })   // {"type":"subscribed","id":"s"}
 */
export function encodeFrame(frame: Frame): string {
  return exactJson(frame);
}
