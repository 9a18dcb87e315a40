import { CborWriter } from './cbor-writer.js';
import { writeCredit } from './credit-frame.js';
import { writeCursor } from './cursor-frame.js';
import { writeData, type DataFrame } from './data-frame.js';
import { writeError } from './error-frame.js';
import { WeidaEncodeError } from './errors.js';
import { FRAME_KINDS } from './frame-kind.js';
import { type Frame } from './frame.js';
import { type GuaranteeSet } from './guarantee-set.js';
import { invalidField } from './header-fields.js';
import { writeHello } from './hello-frame.js';
import { DEFAULT_MAX_HEADER_BYTES } from './limits.js';
import { type Agreed } from './negotiate.js';
import { openersOf, type StreamRole } from './stream-guard.js';
import { writeSubscription } from './subscription-frame.js';

/** Options of {@link encodeFrame}. */
export interface EncodeOptions {
  /**
   * What {@link negotiate} agreed on for the connection: the longest header the peer takes, and whether messages are
   * numbered. Without it: {@link DEFAULT_MAX_HEADER_BYTES}, and `sequence` is the caller's affair.
   */
  readonly agreed?: Agreed | undefined;
  /** Where the frame is to be written: it has to be one that may stand there. Default: no check. */
  readonly stream?: StreamRole | undefined;
}

/** The one writer, while it is not in use: a member that is a getter may encode a frame of its own. */
let idle: CborWriter | undefined = new CborWriter();

/**
 * Encodes a frame: preamble and header, in the one canonical form (weida §3, §5). A payload follows DATA as it is;
 * records follow CURSOR; after any other kind the stream ends ({@link isHeaderOnly}).
 *
 * @throws {@link WeidaEncodeError} where no conforming peer may send the frame.
 * @example
 * ```ts
 * encodeFrame({ kind: 'DATA', endpoint: '/t' }); // 57 01 05 a1 00 62 2f 74
 * ```
 */
export function encodeFrame(frame: Frame, options?: EncodeOptions): Uint8Array {
  const writer = idle ?? new CborWriter();
  idle = undefined;
  try {
    writeHeader(writer, frame, options);
    return writer.frame(FRAME_KINDS.indexOf(frame.kind));
  } finally {
    idle = writer;
  }
}

/** The header alone, as {@link decodeHeader} takes it. */
export function encodeHeader(frame: Frame, options?: EncodeOptions): Uint8Array {
  const writer = idle ?? new CborWriter();
  idle = undefined;
  try {
    writeHeader(writer, frame, options);
    return writer.header();
  } finally {
    idle = writer;
  }
}

function writeHeader(writer: CborWriter, frame: Frame, options: EncodeOptions | undefined): void {
  writer.open();
  switch (frame.kind) {
    case 'DATA':
      writeData(writer, frame);
      break;
    case 'SUBSCRIBE':
    case 'UNSUBSCRIBE':
      writeSubscription(writer, frame);
      break;
    case 'CREDIT':
      writeCredit(writer, frame);
      break;
    case 'CURSOR':
      writeCursor(writer, frame);
      break;
    case 'ERROR':
      writeError(writer, frame);
      break;
    case 'HELLO':
      writeHello(writer, frame);
      break;
    default:
      throw invalidField('kind', 'W-141', 'not a frame kind');
  }
  if (options?.stream !== undefined) checkStream(options.stream, frame);
  const agreed = options?.agreed;
  const most = agreed?.sendMaxHeaderBytes ?? DEFAULT_MAX_HEADER_BYTES;
  if (writer.length > most) throw new WeidaEncodeError('too-long', 'header', 'W-090', `${writer.length} octets where the peer takes ${most}`);
  if (agreed !== undefined && frame.kind === 'DATA') checkAgreed(agreed.guarantees, frame);
}

/** What may be said only where it was negotiated (weida §6.2). */
function checkAgreed({ ordering, acknowledgement }: GuaranteeSet, frame: DataFrame): void {
  if (frame.sequence !== undefined && ordering !== 1 && ordering !== 2) {
    throw new WeidaEncodeError('forbidden-combination', 'sequence', 'W-220', 'no order per producer was negotiated');
  }
  // Absence already claims nothing; 0 is a statement, and nobody makes it who left acknowledgement at core.
  if (frame.achieved === 0 && (acknowledgement ?? 1) === 1) {
    throw new WeidaEncodeError('forbidden-combination', 'achieved', 'W-231', '0 where no acknowledgement was negotiated');
  }
}

/** What a receiver would refuse, or a reply half alone may say (weida §4.1, §6.2). */
function checkStream(role: StreamRole, frame: Frame): void {
  const { kinds, clause } = openersOf(role);
  if (!kinds.includes(frame.kind)) throw new WeidaEncodeError('forbidden-combination', 'kind', clause, `${frame.kind} on a stream of kind ${role}`);
  if (frame.kind !== 'DATA' || role === 'reply') return;
  if (frame.endpoint === undefined) throw invalidField('endpoint', 'W-350', 'what starts a transfer names its endpoint');
  if (frame.achieved !== undefined) throw new WeidaEncodeError('forbidden-combination', 'achieved', 'W-227', 'on a reply half only');
}
