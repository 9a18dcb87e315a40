import { type CborReader } from './cbor-reader.js';
import { type CborWriter } from './cbor-writer.js';
import { WeidaEncodeError } from './errors.js';
import { CAP, invalidField, writeText, writeUint, writeUints } from './header-fields.js';
import { isCompletionLevel, isLevel, type CompletionLevel } from './level.js';
import { isOctets } from './octets.js';
import { type Uint } from './uint.js';

/** Most entries of `report` (weida §6.2 R3). */
export const MAX_REPORT = 16;
const PRODUCER_BYTES = 32;

/**
 * DATA, kind 1: the header before a payload (weida §6.2). No member is required here; a stream that starts a transfer
 * needs `endpoint`, which {@link StreamGuard} checks. Members that are absent on the wire are absent in what is decoded.
 */
export interface DataFrame {
  readonly kind: 'DATA';
  /** Addressed path, compared as a whole; at most 512 octets. */
  readonly endpoint?: string | undefined;
  /** Octets of payload, as announced: it may be wrong, and nothing may be reserved for it. */
  readonly contentLen?: Uint | undefined;
  /** At most 256 octets. */
  readonly contentType?: string | undefined;
  /** At most 128 octets; may be malformed: {@link traceContext} tells. */
  readonly traceparent?: string | undefined;
  /** At most 512 octets. */
  readonly tracestate?: string | undefined;
  /** At most 256 octets; no octet of it is special. */
  readonly topic?: string | undefined;
  /** Number of the message, where the connection negotiated an order per producer. */
  readonly sequence?: Uint | undefined;
  /** Digest that names another producer than the peer: exactly 32 octets. */
  readonly producer?: Uint8Array | undefined;
  /** Level reached for the message that this one answers; absent claims nothing, which is not 0. */
  readonly achieved?: CompletionLevel | undefined;
  /** Id of the cursor stream that will report, from 1; together with `report`. */
  readonly reportId?: Uint | undefined;
  /** Levels to report, ascending, at most 16. */
  readonly report?: readonly Uint[] | undefined;
  /** 0 as it progresses, 1 at the end only; 0 is never written. */
  readonly reportMode?: 0 | 1 | undefined;
  /** How often a queue has handed the message out, this time included; absent is 1, and 1 is never written. */
  readonly deliveryAttempt?: Uint | undefined;
}

/** Reads the header of a DATA. */
export function readData(reader: CborReader): DataFrame {
  // Members are added in the order of their keys, so that frames with the same members have one shape.
  const frame: { -readonly [K in keyof DataFrame]: DataFrame[K] } = { kind: 'DATA' };
  let reportAt = -1;
  let idAt = -1;
  let key: Uint = -1;
  for (let left = reader.map(true); left > 0; left--) {
    key = reader.key(key);
    switch (key) {
      case 0:
        frame.endpoint = reader.text(CAP.endpoint);
        break;
      case 1:
        frame.contentLen = reader.uint();
        break;
      case 2:
        frame.contentType = reader.text(CAP.contentType);
        break;
      case 3:
        frame.traceparent = reader.text(CAP.traceparent);
        break;
      case 4:
        frame.tracestate = reader.text(CAP.tracestate);
        break;
      case 5:
        frame.topic = reader.text(CAP.topic);
        break;
      case 6:
        frame.sequence = reader.uint();
        break;
      case 7:
        frame.producer = reader.bytes(PRODUCER_BYTES);
        break;
      case 8:
        frame.achieved = readAchieved(reader);
        break;
      case 9:
        idAt = reader.at;
        frame.reportId = reader.uint();
        break;
      case 10:
        reportAt = reader.at;
        frame.report = readReport(reader);
        break;
      case 11:
        frame.reportMode = readReportMode(reader);
        break;
      case 12:
        // 0 counts no hand-out and reads as the first (OPEN-6).
        frame.deliveryAttempt = reader.uint() || 1;
        break;
      default:
        reader.skip();
    }
  }
  reader.finish();
  if (reportAt >= 0 && idAt < 0) return reader.failAt(reportAt, 'report-pairing', 'W-233', 'report without report_id');
  if (idAt >= 0 && reportAt < 0) return reader.failAt(idAt, 'report-pairing', 'W-234', 'report_id without report');
  return frame;
}

function readAchieved(reader: CborReader): CompletionLevel {
  const at = reader.at;
  const level = reader.uint();
  return isCompletionLevel(level) ? level : reader.failAt(at, 'undefined-value', 'W-232', `achieved ${level}`);
}

function readReport(reader: CborReader): readonly Uint[] {
  const at = reader.at;
  const report = reader.uints(MAX_REPORT, 'W-236');
  if (report.length === 0) return reader.failAt(at, 'report-empty', 'OPEN-4', 'a report of no level');
  let previous: Uint = -1;
  for (const level of report) {
    if (!isLevel(level)) return reader.failAt(at, 'undefined-value', 'W-237', `report level ${level}`);
    if (level <= previous) return reader.failAt(at, 'report-order', 'W-235', `report level ${level} after ${previous}`);
    previous = level;
  }
  return report;
}

function readReportMode(reader: CborReader): 0 | 1 {
  const at = reader.at;
  const mode = reader.uint();
  return mode === 0 || mode === 1 ? mode : reader.failAt(at, 'undefined-value', 'W-205', `report_mode ${mode}`);
}

/** Writes the header of a DATA. */
export function writeData(writer: CborWriter, frame: DataFrame): void {
  const start = writer.map();
  if (frame.endpoint !== undefined) writeText(writer, 0, 'endpoint', frame.endpoint);
  if (frame.contentLen !== undefined) writeUint(writer, 1, 'contentLen', frame.contentLen);
  if (frame.contentType !== undefined) writeText(writer, 2, 'contentType', frame.contentType);
  if (frame.traceparent !== undefined) writeText(writer, 3, 'traceparent', frame.traceparent);
  if (frame.tracestate !== undefined) writeText(writer, 4, 'tracestate', frame.tracestate);
  if (frame.topic !== undefined) writeText(writer, 5, 'topic', frame.topic);
  if (frame.sequence !== undefined) writeUint(writer, 6, 'sequence', frame.sequence);
  if (frame.producer !== undefined) writeProducer(writer, frame.producer);
  if (frame.achieved !== undefined) writeAchieved(writer, frame.achieved);
  if (frame.reportId !== undefined || frame.report !== undefined) writeReport(writer, frame.reportId, frame.report);
  if (frame.reportMode !== undefined) writeReportMode(writer, frame.reportMode);
  if (frame.deliveryAttempt !== undefined) writeDeliveryAttempt(writer, frame.deliveryAttempt);
  writer.endMap(start);
}

function writeProducer(writer: CborWriter, producer: unknown): void {
  if (!isOctets(producer) || producer.length !== PRODUCER_BYTES) throw invalidField('producer', 'W-200', 'not 32 octets');
  writer.key(7);
  writer.bytes(producer);
}

function writeAchieved(writer: CborWriter, achieved: Uint): void {
  if (typeof achieved !== 'number' || !Number.isInteger(achieved) || achieved < 0 || !isCompletionLevel(achieved)) {
    throw invalidField('achieved', 'W-202', 'not a level from 0 to 5');
  }
  writer.key(8);
  writer.uint(achieved);
}

function writeReport(writer: CborWriter, id: Uint | undefined, report: readonly Uint[] | undefined): void {
  if (report === undefined) throw new WeidaEncodeError('forbidden-combination', 'reportId', 'W-234', 'without report');
  if (id === undefined) throw new WeidaEncodeError('forbidden-combination', 'report', 'W-233', 'without reportId');
  if (id === 0 || id === 0n) throw invalidField('reportId', 'W-242', '0 is never allocated');
  writeUint(writer, 9, 'reportId', id);
  let previous: Uint = -1;
  const count = writeUints(writer, 10, 'report', report, MAX_REPORT, 'W-236', (level, i) => {
    if (!isLevel(level)) throw invalidField(`report[${i}]`, 'W-237', 'a level from 6 to 15');
    if (level <= previous) throw invalidField(`report[${i}]`, 'W-235', 'not above the one before it');
    previous = level;
  });
  if (count === 0) throw invalidField('report', 'OPEN-4', 'no level');
}

function writeReportMode(writer: CborWriter, mode: unknown): void {
  if (mode !== 0 && mode !== 1) throw invalidField('reportMode', 'W-205', 'neither 0 nor 1');
  if (mode === 0) return;
  writer.key(11);
  writer.uint(mode);
}

function writeDeliveryAttempt(writer: CborWriter, attempt: Uint): void {
  if (attempt === 0 || attempt === 0n) throw invalidField('deliveryAttempt', 'W-244', '0 counts no hand-out');
  if (attempt === 1 || attempt === 1n) return;
  writeUint(writer, 12, 'deliveryAttempt', attempt);
}
