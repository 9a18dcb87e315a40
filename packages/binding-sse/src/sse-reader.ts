import { createParser } from 'eventsource-parser';

/** One step of an event stream. */
export type SseStep =
  | { readonly type: 'message'; readonly data: string }
  /** A message whose data was cut or replaced, and must not be read as what was sent. */
  | { readonly type: 'damaged'; readonly code: 'invalid-utf8' | 'too-large' }
  | { readonly type: 'comment'; readonly text: string }
  | { readonly type: 'retry'; readonly ms: number };

/** A push parser for the bytes of one response. */
export interface SseReader {
  /** Takes the next bytes, cut anywhere. Throws `RangeError` when a message of many lines grows beyond the bound. */
  feed(chunk: Uint8Array): void;
}

const CR = 13;
const LF = 10;

/**
 * Reads an event stream. Framing is `eventsource-parser`'s; what it cannot see is done in front of it: bytes are decoded a line
 * at a time, since bad UTF-8 would otherwise be replaced in silence, and a line without end is skipped at a bound in bytes.
 */
export function sseReader(maxMessageBytes: number, step: (step: SseStep) => void): SseReader {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const lossy = new TextDecoder('utf-8', { ignoreBOM: true });
  let damage: 'invalid-utf8' | 'too-large' | undefined;
  let overflow = false;
  const parser = createParser({
    ...(maxMessageBytes === Infinity ? {} : { maxBufferSize: maxMessageBytes }),
    onEvent({ data }) {
      if (damage === undefined) step({ type: 'message', data });
      else step({ type: 'damaged', code: damage });
      damage = undefined;
    },
    onComment: (text) => step({ type: 'comment', text }),
    onRetry: (ms) => step({ type: 'retry', ms }),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') overflow = true;
    },
  });

  // The line that has no end yet.
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let skipping = false;

  const pass = (text: string): void => {
    parser.feed(text);
    if (overflow) throw new RangeError(`A message is larger than ${maxMessageBytes} bytes.`);
  };
  const passLines = (lines: Uint8Array): void => {
    if (lines.byteLength > maxMessageBytes) {
      for (const line of splitLines(lines)) {
        if (line.byteLength - 1 <= maxMessageBytes) passLine(line);
        else {
          passOversize(line);
          pass('\n');
        }
      }
      return;
    }
    let text: string;
    try {
      text = utf8.decode(lines);
    } catch {
      for (const line of splitLines(lines)) passLine(line);
      return;
    }
    pass(text);
  };
  const passLine = (line: Uint8Array): void => {
    let text: string;
    try {
      text = utf8.decode(line);
    } catch {
      text = lossy.decode(line);
      if (isData(line)) damage ??= 'invalid-utf8';
    }
    pass(text);
  };
  const passOversize = (start: Uint8Array): void => {
    if (isData(start)) {
      damage ??= 'too-large';
      // Keeps the message, so that its loss is told at its end.
      pass('data');
    } else pass(':');
  };
  const hold = (part: Uint8Array): void => {
    if (skipping || part.byteLength === 0) return;
    pending.push(part);
    pendingBytes += part.byteLength;
    if (pendingBytes <= maxMessageBytes) return;
    skipping = true;
    passOversize(join(pending, 8));
    pending = [];
    pendingBytes = 0;
  };

  return {
    feed(chunk) {
      const end = Math.max(chunk.lastIndexOf(LF), chunk.lastIndexOf(CR)) + 1;
      if (end === 0) {
        hold(chunk);
        return;
      }
      let lines = chunk.subarray(0, end);
      if (!skipping && pendingBytes > 0) {
        const first = firstTerminator(lines);
        hold(lines.subarray(0, first));
        lines = lines.subarray(first);
      }
      if (skipping) {
        skipping = false;
        lines = lines.subarray(firstTerminator(lines));
      } else if (pendingBytes > 0) {
        lines = join([...pending, lines], pendingBytes + lines.byteLength);
        pending = [];
        pendingBytes = 0;
      }
      passLines(lines);
      hold(chunk.subarray(end));
    },
  };
}

function firstTerminator(bytes: Uint8Array): number {
  const lf = bytes.indexOf(LF);
  const cr = bytes.indexOf(CR);
  return lf < 0 ? cr : cr < 0 ? lf : Math.min(lf, cr);
}

function* splitLines(lines: Uint8Array): Generator<Uint8Array> {
  let rest = lines;
  while (rest.byteLength > 0) {
    const end = firstTerminator(rest) + 1;
    yield rest.subarray(0, end);
    rest = rest.subarray(end);
  }
}

function isData(line: Uint8Array): boolean {
  return /^(?:\u00ef\u00bb\u00bf)?data:/.test(String.fromCharCode(...line.subarray(0, 8)));
}

function join(parts: readonly Uint8Array[], bytes: number): Uint8Array {
  const joined = new Uint8Array(bytes);
  let at = 0;
  for (const part of parts) {
    const piece = part.subarray(0, bytes - at);
    joined.set(piece, at);
    at += piece.byteLength;
  }
  return joined;
}
