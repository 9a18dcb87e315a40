import { type DataFrame } from './data-frame.js';

/** W3C Trace Context of a transfer; hand it on unchanged. */
export interface TraceContext {
  readonly traceparent: string;
  /** Octet for octet what came. */
  readonly tracestate?: string;
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:$|-)/;

/**
 * The trace context of a frame (weida §6.2): absent and malformed are the same, no context. None is ever made up; a sender puts
 * the members into the DATA frame when its application has a context.
 */
export function traceContext(frame: Pick<DataFrame, 'traceparent' | 'tracestate'>): TraceContext | undefined {
  const { traceparent, tracestate } = frame;
  if (traceparent === undefined || !TRACEPARENT.test(traceparent)) return undefined;
  // Version 00 has four fields and no more.
  if (traceparent.startsWith('00') && traceparent.length !== 55) return undefined;
  return tracestate === undefined ? { traceparent } : { traceparent, tracestate };
}
