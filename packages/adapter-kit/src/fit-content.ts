import type { JsonObject, JsonValue } from '@aepkit/envelope';

import { isJsonObject } from './members.js';

/** Most that the content of one Event may take, in bytes of JSON: an Event that is too large for an endpoint would be lost as a whole. */
export const DEFAULT_MAX_CONTENT_BYTES = 262_144;

/** Deepest nesting of content; an Event may have 64 levels. */
const MAX_DEPTH = 56;
/** How long texts may stay, in UTF-16 units, step by step. */
const LENGTHS = [Infinity, 65_536, 16_384, 4096, 1024, 256];
/** Stands where a text was cut. */
export const CUT = '…';

/**
 * Content that fits: the longest texts are cut first, all to one length, and what is nested too deeply goes. Undefined where that is
 * not enough. It has to be redacted before, since half of a secret is not recognised.
 */
export function fitContent(content: JsonObject, maxBytes: number): JsonObject | undefined {
  for (const length of LENGTHS) {
    const cut = shorten(content, length, 0) as JsonObject;
    if (jsonBytes(cut) <= maxBytes) return cut;
  }
  return undefined;
}

function shorten(value: JsonValue, length: number, depth: number): JsonValue {
  if (typeof value === 'string') return cutText(value, length);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return CUT;
  if (!isJsonObject(value)) return value.map((item) => shorten(item, length, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shorten(item, length, depth + 1)]));
}

/** A text of at most that many units and a mark; no pair of surrogates is split. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)}${CUT}`;
}

function jsonBytes(value: JsonValue): number {
  const text = JSON.stringify(value);
  // Three bytes a unit is the most that UTF-8 takes.
  return new TextEncoder().encode(text).length;
}
