/**
 * What is wrong with octets that a peer sent, or with a filter. All but `truncated-header` close the connection with
 * `PROTOCOL_VIOLATION` (weida §3.2); that one costs its own stream alone (OPEN-14).
 *
 * - `bad-magic`: the first octet is not `0x57`.
 * - `unknown-kind`: a frame kind from 7 to 255.
 * - `header-too-long`: the declared header is longer than `maxHeaderBytes`; nothing was allocated for it.
 * - `truncated-preamble`: the stream ended before its header length was complete.
 * - `truncated-header`: the stream ended inside its header.
 * - `truncated-record`: the stream ended inside a cursor record.
 * - `malformed`: not CBOR: the header ends inside an item, or an octet that begins no item.
 * - `not-a-map`: the header is an item of another kind.
 * - `indefinite-length`, `tag`, `half-float`, `simple-value`: CBOR that headers never hold, at any level.
 * - `invalid-utf8`: a text string that is no UTF-8 (OPEN-1).
 * - `too-deep`: a skipped value nests more than eight containers.
 * - `key-type`: a key of the header or of a guarantee set is no unsigned integer.
 * - `duplicate-key`, `key-order`: a key equal to, or smaller than, the one before it.
 * - `trailing-bytes`: octets are left inside the header after its map.
 * - `missing-key`: a key that the frame requires is absent.
 * - `wrong-type`: a known key holds a value of another CBOR type.
 * - `too-long`: a text is above the cap of its key.
 * - `too-many-items`: a list of more than 64 items, a report of more than 16.
 * - `producer-length`: `producer` is not 32 octets long.
 * - `undefined-value`: a number that its key does not define: `achieved`, `report`, `report_mode`, a level, a guarantee.
 * - `report-pairing`, `report-empty`, `report-order`: `report` without `report_id` or the reverse, without an entry, not ascending.
 * - `guarantee-combination`: two guarantees that exclude each other, or one that lacks its companion.
 * - `requires-more-than-offered`: a HELLO demands what it does not offer (OPEN-11).
 * - `filter-wildcard`, `filter-rest`: `*` or `#` beside another octet, `#` before the last segment.
 * - `frame-not-allowed`: the frame kind may not open this stream.
 * - `missing-endpoint`: DATA that starts a transfer names no endpoint.
 * - `local-preamble`: a local connection begins with an unknown octet.
 * - `pipe-chunk`: a chunk of a named pipe is of an unknown kind.
 */
export type WeidaErrorCode =
  | 'bad-magic'
  | 'unknown-kind'
  | 'header-too-long'
  | 'truncated-preamble'
  | 'truncated-header'
  | 'truncated-record'
  | 'malformed'
  | 'not-a-map'
  | 'indefinite-length'
  | 'tag'
  | 'half-float'
  | 'simple-value'
  | 'invalid-utf8'
  | 'too-deep'
  | 'key-type'
  | 'duplicate-key'
  | 'key-order'
  | 'trailing-bytes'
  | 'missing-key'
  | 'wrong-type'
  | 'too-long'
  | 'too-many-items'
  | 'producer-length'
  | 'undefined-value'
  | 'report-pairing'
  | 'report-empty'
  | 'report-order'
  | 'guarantee-combination'
  | 'requires-more-than-offered'
  | 'filter-wildcard'
  | 'filter-rest'
  | 'frame-not-allowed'
  | 'missing-endpoint'
  | 'local-preamble'
  | 'pipe-chunk';

/** Octets of a peer, or a filter, that break a rule of weida. */
export class WeidaError extends Error {
  override readonly name = 'WeidaError';
  /** What is wrong. */
  readonly code: WeidaErrorCode;
  /** Octet of the stream (of the text, for a filter) at which it shows, counted from 0. */
  readonly offset: number;
  /** The rule, as numbered in `spec/clauses/weida.tsv`: `W-161`; an open point where the text is silent: `OPEN-1`. */
  readonly clause: string;
  /** What is wrong, in words, without the place and the rule that `message` adds. */
  readonly detail: string;
  /** What it costs: the connection, closed with `PROTOCOL_VIOLATION`, or this stream alone. */
  readonly scope: 'connection' | 'stream';

  constructor(code: WeidaErrorCode, offset: number, clause: string, detail: string) {
    super(`octet ${offset}: ${detail} [${clause}]`);
    this.code = code;
    this.offset = offset;
    this.clause = clause;
    this.detail = detail;
    this.scope = code === 'truncated-header' ? 'stream' : 'connection';
  }
}

/**
 * Why a value cannot be written.
 *
 * - `invalid-field`: a member is missing, of the wrong type, or outside what its key defines.
 * - `too-long`: a text or a list is above its cap, or the header longer than the peer accepts.
 * - `forbidden-combination`: the members contradict each other, or what was negotiated.
 */
export type WeidaEncodeErrorCode = 'invalid-field' | 'too-long' | 'forbidden-combination';

/** A value that no conforming peer may send: a fault of the caller. */
export class WeidaEncodeError extends Error {
  override readonly name = 'WeidaEncodeError';
  /** What is wrong. */
  readonly code: WeidaEncodeErrorCode;
  /** The member at fault: `endpoint`, `report[1]`, `guaranteesOffered.replicas`. */
  readonly field: string;
  /** The rule, as numbered in `spec/clauses/weida.tsv`. */
  readonly clause: string;

  constructor(code: WeidaEncodeErrorCode, field: string, clause: string, detail: string) {
    super(`${field}: ${detail} [${clause}]`);
    this.code = code;
    this.field = field;
    this.clause = clause;
  }
}
