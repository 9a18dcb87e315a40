/** A JSON text as it is held. */
export interface HeldText {
  readonly text: string;
  /** Whether {@link restoreText} has to spell it out. */
  readonly packed: boolean;
  /** Bytes that the string takes. */
  readonly bytes: number;
}

// A single wide character doubles what a string takes. Runs beyond ASCII are therefore spelled in ASCII: START, three
// characters of 2, 7 and 7 bits per UTF-16 unit, END. Control characters cannot stand in a JSON text (RFC 8259 §7).
const START = 1;
const END = 2;
const TOP = 0x40;
const FIRST_CONTROL = /[\u0001\u0002]/;
const WIDE = /[\u0100-\uffff]/;

const SCRATCH_CHARS = 16 * 1024;
/** Most bytes that one unit takes, in UTF-8 and packed: START, three, END. */
const UNIT_BYTES = 5;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const utf16Decoder = new TextDecoder('utf-16le', { ignoreBOM: true });
const scratch = new Uint8Array(UNIT_BYTES * SCRATCH_CHARS);

function bufferFor(chars: number): Uint8Array<ArrayBuffer> {
  return chars <= SCRATCH_CHARS ? scratch : new Uint8Array(UNIT_BYTES * chars);
}

/**
 * A copy of a string that shares no memory with another, in the narrowest form. Engines make a part of a string a view of
 * the whole one: a line cut out of a batch would hold the whole batch, at two bytes per character where a single one of
 * the batch is wide.
 */
function detach(text: string): { readonly copy: string; readonly utf8: number } {
  const bytes = bufferFor(text.length);
  const utf8 = encoder.encodeInto(text, bytes).written;
  const copy = decoder.decode(bytes.subarray(0, utf8));
  // Only a lone surrogate, which no JSON door of ours lets in, does not survive the way there and back.
  return { copy: copy === text ? copy : text, utf8 };
}

/** {@link detach}, where the number of bytes is of no interest. */
export function detached(text: string): string {
  return detach(text).copy;
}

function pack(text: string): string {
  const bytes = bufferFor(text.length);
  let written = 0;
  let inRun = false;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    const plain = unit < 0x80;
    if (plain === inRun) {
      bytes[written++] = inRun ? END : START;
      inRun = !inRun;
    }
    if (plain) {
      bytes[written++] = unit;
    } else {
      bytes[written++] = TOP | (unit >> 14);
      bytes[written++] = (unit >> 7) & 0x7f;
      bytes[written++] = unit & 0x7f;
    }
  }
  if (inRun) bytes[written++] = END;
  return decoder.decode(bytes.subarray(0, written));
}

/**
 * Brings a JSON text into the form that takes least memory: one byte per character wherever that is smaller, also around
 * characters that need two.
 *
 * @param copy `false`: the text shares no memory with another
 */
export function holdText(json: string, copy: boolean): HeldText {
  if (!WIDE.test(json)) {
    if (!copy) return { text: json, packed: false, bytes: json.length };
    const { copy: text, utf8 } = detach(json);
    return { text, packed: false, bytes: utf8 };
  }
  const packed = FIRST_CONTROL.test(json) || !json.isWellFormed() ? undefined : pack(json);
  if (packed !== undefined && packed.length < 2 * json.length) return { text: packed, packed: true, bytes: packed.length };
  return { text: copy ? detached(json) : json, packed: false, bytes: 2 * json.length };
}

/** The JSON text again. */
export function restoreText(text: string, packed: boolean): string {
  if (!packed) return text;
  const bytes = bufferFor(text.length);
  let written = 0;
  let inRun = false;
  for (let index = 0; index < text.length; index++) {
    let unit = text.charCodeAt(index);
    if (unit === (inRun ? END : START)) {
      inRun = !inRun;
      continue;
    }
    if (inRun) unit = ((unit & 3) << 14) | (text.charCodeAt(++index) << 7) | text.charCodeAt(++index);
    bytes[written++] = unit & 0xff;
    bytes[written++] = unit >> 8;
  }
  return utf16Decoder.decode(bytes.subarray(0, written));
}
