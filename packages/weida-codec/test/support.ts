import { readFileSync } from 'node:fs';

import { decodeFrame, FrameReader, FRAME_KINDS, WeidaError, type CursorRecord, type Frame, type FrameReaderOptions } from '../src/index.js';

export function hex(text: string): Uint8Array {
  return Uint8Array.from(text.replaceAll(' ', '').match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The octets of a stream with one frame: its kind, and its header in hex. */
export function stream(kind: Frame['kind'], header: string): Uint8Array {
  const octets = hex(header);
  const length = octets.length < 64 ? [octets.length] : [0x40 | (octets.length >> 8), octets.length & 0xff];
  return Uint8Array.of(0x57, FRAME_KINDS.indexOf(kind), ...length, ...octets);
}

/** The error that a call ends in. */
export function errorOf(call: () => unknown): WeidaError {
  try {
    call();
  } catch (error) {
    if (error instanceof WeidaError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** `code clause` of what a stream with this header is refused for. */
export function refusal(kind: Frame['kind'], header: string): string {
  const { code, clause } = errorOf(() => decodeFrame(stream(kind, header)));
  return `${code} ${clause}`;
}

export function header(kind: Frame['kind'], text: string): Frame {
  return decodeFrame(stream(kind, text)).frame;
}

export interface Read {
  readonly frame?: Frame;
  readonly payload: string;
  readonly records: readonly CursorRecord[];
  readonly error?: string;
}

/** Reads a stream that comes in these pieces, and ends unless `fin` is false. */
export function readPieces(pieces: Iterable<Uint8Array>, options: FrameReaderOptions & { fin?: boolean } = {}): Read {
  const reader = new FrameReader(options);
  let frame: Frame | undefined;
  let payload = '';
  const records: CursorRecord[] = [];
  let error: string | undefined;
  try {
    for (const piece of pieces) {
      for (const event of reader.push(piece)) {
        if (event.type === 'frame') frame = event.frame;
        else if (event.type === 'payload') payload += toHex(event.bytes);
        else records.push(event.record);
      }
    }
    if (options.fin !== false) reader.end();
  } catch (caught) {
    if (!(caught instanceof WeidaError)) throw caught;
    error = `${caught.code} ${caught.offset} ${caught.clause}`;
  }
  return { ...(frame && { frame }), payload, records, ...(error !== undefined && { error }) };
}

/** Every way to feed octets: whole, cut in two at every place, and one by one. */
export function* feedings(octets: Uint8Array): Generator<Uint8Array[]> {
  yield [octets];
  for (let cut = 0; cut <= octets.length; cut++) yield [octets.subarray(0, cut), octets.subarray(cut)];
  yield Array.from(octets, (_, i) => octets.subarray(i, i + 1));
}

export interface Vectors {
  readonly vectors: readonly Vector[];
  readonly reject: readonly (Vector & { rule: string; fin?: boolean })[];
  readonly accept: readonly (Vector & { payload_hex?: string })[];
  readonly context: readonly { name: string; stream: 'uni' | 'bidi-initiating' | 'bidi-reply'; hex: string; outcome: string }[];
  readonly open: readonly (Vector & { recommend: string })[];
  readonly match: readonly { filter: string; topic: string; match: boolean }[];
  readonly invalid_filters: readonly string[];
  readonly negotiation: readonly NegotiationVector[];
  readonly local: readonly { name: string; layer: string; hex: string; parsed?: Record<string, unknown>; verdict: string }[];
}

export interface Vector {
  readonly name: string;
  readonly frame: Frame['kind'] | 'RECORD' | '-';
  readonly fields?: unknown;
  readonly hex: string;
}

export interface NegotiationVector {
  readonly name: string;
  readonly ours: Record<string, unknown>;
  readonly theirs: Record<string, unknown>;
  readonly ours_result: NegotiationResult;
  readonly theirs_result: NegotiationResult;
  readonly connection_ok: boolean;
}

export interface NegotiationResult {
  readonly ok: boolean;
  readonly reason?: string;
  readonly version?: number;
  readonly send_max_header_bytes?: number;
  readonly guarantees?: Record<string, unknown>;
}

export const VECTORS = JSON.parse(readFileSync(new URL('../../../conformance/weida/vectors.json', import.meta.url), 'utf8')) as Vectors;

const camel = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/** The fields of a vector as this package names them. */
export function fieldsOf(fields: unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields as Record<string, unknown>).map(([name, value]) => {
      if (name === 'producer') return [name, hex(value as string)];
      if (name === 'guarantees_offered' || name === 'guarantees_required') return [camel(name), fieldsOf(value)];
      if (Array.isArray(value)) return [camel(name), value.map((item) => uintOf(item))];
      return [camel(name), TEXTS.has(name) ? value : uintOf(value)];
    }),
  );
}

const TEXTS = new Set(['endpoint', 'content_type', 'traceparent', 'tracestate', 'topic', 'filter', 'message']);

function uintOf(value: unknown): unknown {
  return typeof value === 'string' ? (BigInt(value)) : value;
}
