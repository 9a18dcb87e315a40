import type { Capture } from './capture.js';
import type { JsonObject } from './json.js';
import type { Severity } from './severity.js';

/**
 * Value of an extension attribute (AEP-0001 §5.4). A number is an integer. A `bigint` stands where an integer beyond
 * ±(2^53−1) was parsed; it is exact.
 */
export type ExtensionValue = string | number | boolean | bigint;

/**
 * One Event of AEP 0.1 (AEP-0001 §5): the context attributes, `data`, and extension attributes by name.
 *
 * Absent attributes are absent. Read `severity`, `capture` and `epoch` with `severityOf`, `captureOf` and `epochOf`,
 * which know the defaults; a default is never written into an Event.
 */
export interface AepEvent {
  /** Version of the envelope. */
  readonly aep: '0.1';
  /** Unique per `source`; half of the key for deduplication, see `dedupeKey`. */
  readonly id: string;
  /** Bare dotted name, registered or not: `tool.completed`, `x.acme.session.synced`. */
  readonly type: string;
  /** What was acted upon: an identifier, never content. */
  readonly subject?: string;
  /** RFC 3339 with a zone. For people and joins; never the order of a session. */
  readonly time: string;
  /** URI of who emitted it. */
  readonly source: string;
  /** Logical name of the emitting agent. */
  readonly agent: string;
  /** Session of the emitter; any non-empty string, unique inside one emitter only. */
  readonly session?: string;
  /** Run inside the session. */
  readonly run?: string;
  /** Step inside the run. */
  readonly step?: string;
  /** Position inside an epoch, 0 to 2^53−1. */
  readonly seq?: number;
  /** Restart generation of `seq`, 0 to 2^53−1; read as 0 where absent. */
  readonly epoch?: number;
  /** `id` of the Event that directly caused this one. */
  readonly cause?: string;
  /** W3C trace context, verbatim. */
  readonly traceparent?: string;
  /** Read as `info` where absent. */
  readonly severity?: Severity;
  /** Read as `metadata` where absent. */
  readonly capture?: Capture;
  /** Payload; its form depends on `type`. Nothing here looks into it. */
  readonly data?: JsonObject;
  /** Extension attributes: names of `[a-z0-9]{1,20}`. */
  readonly [extension: string]: ExtensionValue | JsonObject | undefined;
}
