import { type Capture, captureRank, digest, type JsonObject, type JsonValue } from '@aepkit/envelope';

import type { Draft, LeveledEvent } from './draft.js';
import { CUT, fitContent } from './fit-content.js';
import { isJsonObject } from './members.js';
import { merge } from './merge.js';
import type { Redactor } from './redactor.js';

/** What a draft is brought under its ceiling with. */
export interface LevelOptions {
  readonly ceiling: Capture;
  readonly redactor: Redactor;
  readonly maxContentBytes: number;
}

/**
 * Brings a draft under a ceiling (AEP-0003 §9): digests of the originals first, then the pipeline over everything that is shown beyond
 * `metadata`. When the pipeline fails, or what it gives is too large, the Event stays at `metadata`.
 */
export function levelDraft(draft: Draft, options: LevelOptions): LeveledEvent {
  const { type, subject, severity } = draft;
  const event = { type, ...(subject === undefined ? {} : { subject }), ...(severity === undefined ? {} : { severity }) };
  const { ceiling } = options;
  if (ceiling === 'none') return { ...event, capture: 'none' };
  const originals = Object.entries(draft.originals ?? {});
  const data = { ...draft.data, ...Object.fromEntries(originals.map(([name, value]) => [`${name}_digest`, digest(value)])) };
  if (ceiling === 'metadata') return { ...event, capture: 'metadata', data };
  const content = contentOf(draft, originals, options);
  if (content === undefined || JSON.stringify(merge(data, content)) === JSON.stringify(data)) return { ...event, capture: 'metadata', data };
  return { ...event, capture: ceiling, data, content };
}

/** An Event under a lower ceiling. What was read verbatim and may be shown redacted only lands on `metadata` (AEP-0001 §8.2(e)). */
export function lowerEvent({ content, ...event }: LeveledEvent, ceiling: Capture): LeveledEvent {
  if (ceiling === 'none' || event.capture === 'none') {
    const { data: _, ...bare } = event;
    return { ...bare, capture: 'none' };
  }
  if (content !== undefined && captureRank(ceiling) >= captureRank(event.capture)) return { ...event, content };
  return { ...event, capture: 'metadata' };
}

function contentOf({ text, full }: Draft, originals: readonly (readonly [string, JsonValue])[], { ceiling, redactor, maxContentBytes }: LevelOptions): JsonObject | undefined {
  try {
    const parts: JsonObject[] = [];
    if (ceiling === 'full') {
      parts.push(text ?? {}, full ?? {}, Object.fromEntries(originals.flatMap(([name, value]) => original(name, name, value))));
    } else {
      const bounded = { redactor, maxContentBytes };
      parts.push(redacted(cutAhead(text ?? {}, bounded), redactor), Object.fromEntries(originals.flatMap(([name, value]) => original(name, `${name}_redacted`, redactedValue(cutAhead(value, bounded), redactor)))));
    }
    const content = parts.reduce(merge);
    return Object.keys(content).length === 0 ? undefined : fitContent(content, maxContentBytes);
  } catch {
    // What could not be redacted is not shown (AEP-0003 §9).
    return undefined;
  }
}

/** How much of the end of a text that was cut may be the beginning of a secret, in UTF-16 units. */
const UNSURE = 16_384;

/**
 * Without what cannot fit: the pipeline reads some megabytes a second. A text is cut, redacted, and then loses its end, in which the
 * cut may have left half of a secret.
 */
function cutAhead<T extends JsonValue>(value: T, { redactor, maxContentBytes }: Pick<LevelOptions, 'redactor' | 'maxContentBytes'>): T {
  const most = maxContentBytes + UNSURE;
  const cut = (item: JsonValue): JsonValue => {
    if (typeof item === 'string') return item.length <= most ? item : redactor.text(item.slice(0, most).toWellFormed()).slice(0, -UNSURE).toWellFormed() + CUT;
    if (typeof item !== 'object' || item === null) return item;
    return isJsonObject(item) ? Object.fromEntries(Object.entries(item).map(([name, member]) => [name, cut(member)])) : item.map(cut);
  };
  return cut(value) as T;
}

/** Content again through a pipeline, for a record that another one wrote. Undefined where it fails. */
export function redactAgain(content: JsonObject, redactor: Redactor): JsonObject | undefined {
  try {
    return redacted(content, redactor);
  } catch {
    return undefined;
  }
}

function redacted(value: JsonObject, redactor: Redactor): JsonObject {
  const result = redactedValue(value, redactor);
  if (!isJsonObject(result)) throw new TypeError('the redaction pipeline changed the shape of a value');
  return result;
}

function redactedValue(value: JsonValue, redactor: Redactor): JsonValue {
  const result: unknown = typeof value === 'string' ? redactor.text(value) : redactor.value(value);
  if (result === undefined) throw new TypeError('the redaction pipeline gave nothing');
  return result as JsonValue;
}

// AEP-0002 §8: `args` is an object, `result` an object or a text.
function original(name: string, as: string, value: JsonValue): [string, JsonValue][] {
  if (isJsonObject(value)) return [[as, value]];
  if (name === 'args' || value === null) return [];
  return [[as, typeof value === 'string' ? value : JSON.stringify(value)]];
}
