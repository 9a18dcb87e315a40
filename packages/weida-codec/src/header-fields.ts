import { type CborWriter } from './cbor-writer.js';
import { WeidaEncodeError } from './errors.js';
import { isUint, type Uint } from './uint.js';

/** Caps of texts in octets (weida §6). */
export const CAP = { endpoint: 512, contentType: 256, traceparent: 128, tracestate: 512, topic: 256, filter: 256, message: 1024 } as const;

type TextField = keyof typeof CAP;

const CAP_CLAUSE: Readonly<Record<TextField, string>> = {
  endpoint: 'W-193',
  contentType: 'W-195',
  traceparent: 'W-196',
  tracestate: 'W-197',
  topic: 'W-198',
  filter: 'W-258',
  message: 'W-250',
};

/** Writes a text under its key, or refuses it. */
export function writeText(writer: CborWriter, key: number, field: TextField, value: unknown): void {
  if (typeof value !== 'string') throw invalidField(field, CAP_CLAUSE[field], 'not a text');
  writer.key(key);
  if (writer.text(value, CAP[field])) return;
  if (!value.isWellFormed()) throw invalidField(field, 'OPEN-1', 'a surrogate that stands alone has no UTF-8');
  throw new WeidaEncodeError('too-long', field, CAP_CLAUSE[field], `more than ${CAP[field]} octets`);
}

/** Writes an unsigned integer under its key, or refuses it. */
export function writeUint(writer: CborWriter, key: number, field: string, value: unknown): void {
  if (!isUint(value)) throw invalidField(field, 'W-125', 'not an unsigned integer of 64 bits; above 2^53-1 it takes a bigint');
  writer.key(key);
  writer.uint(value);
}

/** Writes a list of unsigned integers under its key, or refuses it; gives their number. Each item is read once. */
export function writeUints(writer: CborWriter, key: number, field: string, values: unknown, most = 64, clause = 'W-173', check?: (value: Uint, i: number) => void): number {
  if (!Array.isArray(values)) throw invalidField(field, 'W-125', 'not a list');
  const { length } = values;
  if (length > most) throw new WeidaEncodeError('too-long', field, clause, `more than ${most} items`);
  writer.key(key);
  writer.list(length);
  for (let i = 0; i < length; i++) {
    const value: unknown = values[i];
    if (!isUint(value)) throw invalidField(`${field}[${i}]`, 'W-125', 'not an unsigned integer of 64 bits');
    check?.(value, i);
    writer.uint(value);
  }
  return length;
}

/** The error for a member that cannot be written. */
export function invalidField(field: string, clause: string, detail: string): WeidaEncodeError {
  return new WeidaEncodeError('invalid-field', field, clause, detail);
}

/** Reads into `frame`, and lists the keys that were there as bits. */
export function missingKey(seen: number, required: number): number {
  for (let key = 0; key < required; key++) if ((seen & (1 << key)) === 0) return key;
  return -1;
}
