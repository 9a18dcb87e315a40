import { WeidaError } from './errors.js';
import { checkOctets } from './octets.js';
import { joinUint, MAX_UINT, type Uint } from './uint.js';

const NONE: readonly PipeEvent[] = Object.freeze([]);

/** What the chunk layer of a named pipe says (weida §2.1). */
export type PipeEvent =
  /** Octets of the stream: a view of what was pushed. Where a chunk begins and ends means nothing. */
  | { readonly type: 'payload'; readonly bytes: Uint8Array }
  /** The stream is complete. */
  | { readonly type: 'fin' }
  /** The stream was abandoned; `code` is an {@link ApplicationCode}, or one of a later version. */
  | { readonly type: 'reset'; readonly code: Uint };

/**
 * The octets of one chunk, whole: a FIN or a RESET can stand between payload chunks only.
 *
 * @throws `RangeError` for a payload of 2^32 octets or more, and for a code above 2^64−1; `TypeError` for what is no chunk.
 */
export function encodePipeChunk(chunk: PipeEvent): Uint8Array {
  if (chunk.type === 'fin') return Uint8Array.of(1);
  if (chunk.type === 'reset') {
    const bytes = new Uint8Array(9);
    const code = BigInt(chunk.code);
    if (code < 0n || code > MAX_UINT) throw new RangeError('a code has 64 bits');
    bytes[0] = 2;
    new DataView(bytes.buffer).setBigUint64(1, code, true);
    return bytes;
  }
  checkOctets(chunk.bytes);
  const { length } = chunk.bytes;
  if (length > 0xffff_ffff) throw new RangeError('the length of a chunk has 32 bits');
  const bytes = new Uint8Array(5 + length);
  new DataView(bytes.buffer).setUint32(1, length, true);
  bytes.set(chunk.bytes, 5);
  return bytes;
}

/** Reads one direction of a named pipe from chunks of any size; a length reserves nothing. */
export class PipeReader {
  #state: 'kind' | 'length' | 'payload' | 'code' | 'ended' = 'kind';
  #high = 0;
  #low = 0;
  #count = 0;
  #left = 0;
  #position = 0;
  #end: 'fin' | 'reset' | undefined;
  #failure: WeidaError | undefined;

  /** How the stream has ended; `undefined` where it has not. A pipe that closes then has abandoned its stream (OPEN-21). */
  get ended(): 'fin' | 'reset' | undefined {
    return this.#end;
  }

  /**
   * Takes the next octets. What follows a FIN or a RESET is not read.
   *
   * @throws {@link WeidaError} `pipe-chunk` for an unknown kind of chunk, at every call from then on: behind it nothing tells where a
   *   chunk begins.
   */
  push(input: Uint8Array): readonly PipeEvent[] {
    if (this.#failure !== undefined) throw this.#failure;
    checkOctets(input);
    let events: PipeEvent[] | undefined;
    let i = 0;
    while (i < input.length && this.#state !== 'ended') {
      if (this.#state === 'payload') {
        const bytes = input.subarray(i, i + this.#left);
        (events ??= []).push({ type: 'payload', bytes });
        i += bytes.length;
        this.#left -= bytes.length;
        if (this.#left === 0) this.#state = 'kind';
        continue;
      }
      const event = this.#octet(input[i] ?? 0, this.#position + i);
      i++;
      if (event !== undefined) (events ??= []).push(event);
    }
    this.#position += input.length;
    return events ?? NONE;
  }

  #octet(octet: number, at: number): PipeEvent | undefined {
    if (this.#state === 'kind') {
      if (octet > 2) throw (this.#failure = new WeidaError('pipe-chunk', at, 'W-054', `a chunk of kind ${octet}`));
      this.#high = this.#low = this.#count = 0;
      this.#state = octet === 0 ? 'length' : octet === 1 ? 'ended' : 'code';
      if (octet !== 1) return undefined;
      this.#end = 'fin';
      return { type: 'fin' };
    }
    // Little-endian: each octet is above the ones before it.
    if (this.#count < 4) this.#low = (this.#low | (octet << (8 * this.#count))) >>> 0;
    else this.#high = (this.#high | (octet << (8 * (this.#count - 4)))) >>> 0;
    this.#count++;
    if (this.#state === 'length') {
      if (this.#count < 4) return undefined;
      this.#left = this.#low;
      this.#state = this.#left === 0 ? 'kind' : 'payload';
      return undefined;
    }
    if (this.#count < 8) return undefined;
    this.#state = 'ended';
    this.#end = 'reset';
    return { type: 'reset', code: joinUint(this.#high, this.#low) };
  }
}
