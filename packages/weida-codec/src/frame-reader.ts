import { type CursorRecord } from './cursor-record.js';
import { readHeader } from './decode-header.js';
import { WeidaError } from './errors.js';
import { FRAME_KINDS, isHeaderOnly, type FrameKind } from './frame-kind.js';
import { type Frame } from './frame.js';
import { isLevel } from './level.js';
import { resolveHeaderLimit } from './limits.js';
import { checkOctets } from './octets.js';
import { StreamGuard, type StreamRole } from './stream-guard.js';
import { type Uint } from './uint.js';
import { VarintReader } from './varint.js';

const MAGIC = 0x57;
const NONE: readonly FrameEvent[] = Object.freeze([]);

/** What a {@link FrameReader} found; `at` is the octet of the stream where it begins. */
export type FrameEvent =
  /** The header; `length` octets of it. */
  | { readonly type: 'frame'; readonly frame: Frame; readonly at: number; readonly length: number }
  /** Payload of DATA: a view of what was pushed, not a copy. */
  | { readonly type: 'payload'; readonly bytes: Uint8Array; readonly at: number }
  /** A record of CURSOR. */
  | { readonly type: 'record'; readonly record: CursorRecord; readonly at: number };

/** Options of {@link FrameReader}. */
export interface FrameReaderOptions {
  /** Where the octets come from; decides which frame may stand here and whether DATA needs an endpoint. Default: no check. */
  readonly stream?: StreamRole | undefined;
  /** Longest header taken, in octets, up to 2^30. There is no way to take the bound away. Default {@link DEFAULT_MAX_HEADER_BYTES}. */
  readonly maxHeaderBytes?: number | undefined;
  /**
   * Stop behind the preamble until {@link FrameReader.release}, as a stream waits that came before HELLO. What was pushed behind
   * the preamble is kept as a view, so its memory must not be used again before. Default false.
   */
  readonly hold?: boolean | undefined;
  /** Makes the memory for a header that comes in pieces. Default `new Uint8Array(length)`. */
  readonly allocate?: ((length: number) => Uint8Array) | undefined;
}

/**
 * Reads one stream from chunks of any size: preamble, header, then payload or records (weida §3). It holds at most one
 * header, and memory for that only after its length was compared with the limit.
 *
 * The first {@link WeidaError} is thrown at every call from then on; what stood before it in the same chunk is not given out.
 *
 * @example
 * ```ts
 * const reader = new FrameReader({ stream: 'uni' });
 * for (const event of reader.push(chunk)) if (event.type === 'frame') route(event.frame);
 * reader.end(); // at FIN; a reset needs no call
 * ```
 */
export class FrameReader {
  readonly #guard: StreamGuard | undefined;
  readonly #maxHeaderBytes: number;
  readonly #allocate: (length: number) => Uint8Array;
  readonly #varint = new VarintReader();
  #state: 'magic' | 'kind' | 'length' | 'header' | 'payload' | 'level' | 'offset' | 'surplus' = 'magic';
  #kind: FrameKind | undefined;
  #position = 0;
  #headerAt = 0;
  #headerLength = 0;
  #header: Uint8Array | undefined;
  #filled = 0;
  #recordAt = 0;
  #level: Uint = 0;
  #hold: boolean;
  #held: Uint8Array | undefined;
  #failure: Error | undefined;

  constructor(options: FrameReaderOptions = {}) {
    this.#guard = options.stream === undefined ? undefined : new StreamGuard(options.stream);
    this.#maxHeaderBytes = resolveHeaderLimit(options.maxHeaderBytes);
    this.#hold = options.hold ?? false;
    this.#allocate = options.allocate ?? ((length) => new Uint8Array(length));
  }

  /** The kind of the frame, as soon as its octet was read. */
  get kind(): FrameKind | undefined {
    return this.#kind;
  }

  /** Whether the frame is complete and whatever follows is ignored: the transport may stop reading (OPEN-13). */
  get finished(): boolean {
    return this.#state === 'surplus';
  }

  /** Octets read so far. */
  get position(): number {
    return this.#position;
  }

  /** Whether the preamble is complete and the rest waits for {@link release}. */
  get held(): boolean {
    return this.#hold && this.#state === 'header';
  }

  /**
   * Takes the next octets.
   *
   * @throws {@link WeidaError} at the first violation; `TypeError` while the stream is held, and for what is no `Uint8Array`.
   */
  push(chunk: Uint8Array): readonly FrameEvent[] {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.held) throw new TypeError('a stream that is held is not read any further');
    checkOctets(chunk);
    try {
      return this.#read(chunk);
    } catch (error) {
      if (error instanceof Error) this.#failure = error;
      throw error;
    }
  }

  /** Goes on behind the preamble, with what was read already. */
  release(): readonly FrameEvent[] {
    const rest = this.#held;
    this.#hold = false;
    this.#held = undefined;
    return rest === undefined ? NONE : this.push(rest);
  }

  /**
   * The stream has ended in order. A stream that was reset is simply dropped, without this call.
   *
   * @throws {@link WeidaError} `truncated-preamble`, `truncated-header` or `truncated-record` where more was due.
   */
  end(): void {
    if (this.#failure !== undefined) throw this.#failure;
    const at = this.#position;
    switch (this.#state) {
      case 'magic':
      case 'kind':
      case 'length':
        throw (this.#failure = new WeidaError('truncated-preamble', at, 'OPEN-14', 'the stream ends inside its preamble'));
      case 'header':
        throw (this.#failure = new WeidaError('truncated-header', at, 'OPEN-14', 'the stream ends inside its header'));
      case 'level':
      case 'offset':
        if (this.#state === 'offset' || this.#varint.partial) {
          throw (this.#failure = new WeidaError('truncated-record', at, 'W-341', 'the stream ends inside a record'));
        }
        return;
      case 'payload':
      case 'surplus':
    }
  }

  #read(chunk: Uint8Array): readonly FrameEvent[] {
    const { length } = chunk;
    let i = 0;
    let events: FrameEvent[] | undefined;
    while (i < length) {
      switch (this.#state) {
        case 'magic':
          if (chunk[i] !== MAGIC) throw new WeidaError('bad-magic', 0, 'W-119', 'the first octet is not 0x57');
          this.#state = 'kind';
          i++;
          break;
        case 'kind':
          this.#readKind(chunk[i] ?? 0);
          i++;
          break;
        case 'length':
          this.#readLength(chunk[i] ?? 0, i);
          i++;
          if (this.held) {
            this.#held = chunk.subarray(i);
            this.#position += i;
            return NONE;
          }
          break;
        case 'header': {
          const taken = Math.min(this.#headerLength - this.#filled, length - i);
          const frame = this.#readHeader(chunk, i, taken);
          i += taken;
          if (frame !== undefined) (events ??= []).push({ type: 'frame', frame, at: this.#headerAt, length: this.#headerLength });
          break;
        }
        case 'payload':
          (events ??= []).push({ type: 'payload', bytes: i === 0 ? chunk : chunk.subarray(i), at: this.#position + i });
          i = length;
          break;
        case 'level':
        case 'offset': {
          const event = this.#readRecord(chunk[i] ?? 0, this.#position + i);
          i++;
          if (event !== undefined) (events ??= []).push(event);
          break;
        }
        case 'surplus':
          i = length;
      }
    }
    this.#position += length;
    return events ?? NONE;
  }

  #readKind(octet: number): void {
    const kind = FRAME_KINDS[octet];
    if (kind === undefined) throw new WeidaError('unknown-kind', 1, 'W-120', `frame kind ${octet}`);
    this.#guard?.open(kind);
    this.#kind = kind;
    this.#state = 'length';
  }

  #readLength(octet: number, i: number): void {
    const length = this.#varint.push(octet);
    if (length === undefined) return;
    // Compared before any memory is made: the peer does not choose how much (weida §3.1).
    if (length > this.#maxHeaderBytes) {
      throw new WeidaError('header-too-long', 2, 'W-115', `a header of ${length} octets where ${this.#maxHeaderBytes} are allowed`);
    }
    this.#headerAt = this.#position + i + 1;
    this.#headerLength = Number(length);
    this.#state = 'header';
    // Not a map, and no octet will come to say so.
    if (length === 0) throw new WeidaError('malformed', this.#headerAt, 'W-121', 'a header of no octet');
  }

  #readHeader(chunk: Uint8Array, start: number, taken: number): Frame | undefined {
    const kind = this.#kind;
    const length = this.#headerLength;
    if (kind === undefined) return undefined;
    let frame: Frame;
    if (taken === length) frame = readHeader(kind, chunk, start, start + length, this.#headerAt);
    else {
      this.#header ??= this.#allocate(length);
      this.#header.set(chunk.subarray(start, start + taken), this.#filled);
      this.#filled += taken;
      if (this.#filled < length) return undefined;
      const header = this.#header;
      this.#header = undefined;
      frame = readHeader(kind, header, 0, length, this.#headerAt);
    }
    this.#guard?.header(frame, this.#headerAt);
    this.#state = isHeaderOnly(kind) ? 'surplus' : kind === 'DATA' ? 'payload' : 'level';
    return frame;
  }

  #readRecord(octet: number, at: number): FrameEvent | undefined {
    const first = this.#state === 'level';
    if (first && !this.#varint.partial) this.#recordAt = at;
    const value = this.#varint.push(octet);
    if (value === undefined) return undefined;
    if (!first) {
      this.#state = 'level';
      return { type: 'record', record: { level: this.#level, offset: value }, at: this.#recordAt };
    }
    if (!isLevel(value)) throw new WeidaError('undefined-value', this.#recordAt, 'W-343', `record level ${value}`);
    this.#level = value;
    this.#state = 'offset';
    return undefined;
  }
}
