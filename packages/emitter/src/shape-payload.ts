import type { Capture, JsonObject } from '@aepkit/envelope';
import { gateData, type GateContext } from '@aepkit/taxonomy';

import { redactContent, type Redactor } from './redactor.js';
import { withDigest, withTwins } from './synthesis.js';

/** A payload at the level it needs. */
export interface ShapedPayload {
  /** The level that is honoured (AEP-0003 §9.5): the lowest one that shows all of `data`. */
  readonly capture: Capture;
  readonly data: JsonObject | undefined;
  /** What went wrong in the pipeline; then the payload is at `metadata`. */
  readonly failure?: unknown;
}

/**
 * Brings a payload under a ceiling (AEP-0003 §9.1 to §9.5): digests of the original first, then members above the ceiling
 * go, texts are replaced by structure at `metadata`, and run through the pipeline at `redacted`. Without a pipeline nothing is labelled
 * `redacted` (AEP-0001 §8.2(e)), so that ceiling lands on `metadata`.
 */
export function shapePayload(
  type: string,
  original: JsonObject,
  ceiling: Capture,
  context: GateContext,
  redactor: Redactor | undefined,
): ShapedPayload {
  if (ceiling === 'none') return { capture: 'none', data: undefined };
  const data = withDigest(type, original);
  if (ceiling === 'full') {
    const verbatim = gateData(type, data, 'full', context) ?? {};
    // The same object where nothing would go.
    return { capture: gateData(type, verbatim, 'metadata', context) === verbatim ? 'metadata' : 'full', data: verbatim };
  }
  const metadata = gateData(type, data, 'metadata', context);
  if (ceiling === 'metadata' || redactor === undefined) return { capture: 'metadata', data: metadata };
  const content = gateData(type, withTwins(type, data), 'redacted', context) ?? {};
  const shown = gateData(type, content, 'metadata', context);
  if (shown === content) return { capture: 'metadata', data: metadata };
  try {
    return { capture: 'redacted', data: redactContent(content, shown, redactor) as JsonObject };
  } catch (failure) {
    return { capture: 'metadata', data: metadata, failure };
  }
}
