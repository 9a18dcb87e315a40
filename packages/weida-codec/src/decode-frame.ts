import { type CursorRecord } from './cursor-record.js';
import { WeidaError } from './errors.js';
import { FrameReader, type FrameReaderOptions } from './frame-reader.js';
import { type Frame } from './frame.js';
import { checkOctets } from './octets.js';

/** A whole stream, decoded. */
export interface DecodedFrame {
  readonly frame: Frame;
  /** Payload of DATA, a view; empty for every other kind. */
  readonly payload: Uint8Array;
  /** Records of CURSOR; empty for every other kind. */
  readonly records: readonly CursorRecord[];
}

/**
 * Decodes the octets of a whole stream, from its preamble to its end.
 *
 * @throws {@link WeidaError} for everything a {@link FrameReader} refuses; `TypeError` for what is no `Uint8Array`.
 */
export function decodeFrame(stream: Uint8Array, options?: Omit<FrameReaderOptions, 'hold'>): DecodedFrame {
  checkOctets(stream);
  const reader = new FrameReader({ ...options, hold: false });
  let frame: Frame | undefined;
  let payload = stream.subarray(0, 0);
  const records: CursorRecord[] = [];
  for (const event of reader.push(stream)) {
    if (event.type === 'frame') frame = event.frame;
    else if (event.type === 'payload') payload = event.bytes;
    else records.push(event.record);
  }
  reader.end();
  // Not reached: a stream without a whole header has ended in an error above.
  if (frame === undefined) throw new WeidaError('truncated-header', stream.length, 'OPEN-14', 'no header');
  return { frame, payload, records };
}
