/**
 * Why a gate could not work.
 *
 * - `unknown-level`: the ceiling or level is none of `none`, `metadata`, `redacted`, `full`. Nothing is let through.
 * - `text-mismatch`: `json` is not the text of one JSON object; the two parts of a WireEvent do not belong together.
 */
export type GateErrorCode = 'unknown-level' | 'text-mismatch';

/** Every {@link GateErrorCode}. */
export const GATE_ERROR_CODES: readonly GateErrorCode[] = /* @__PURE__ */ Object.freeze(['unknown-level', 'text-mismatch'] as const);

/** Thrown by {@link gate} and {@link gateData}: both fail closed. Recognise it by `name` and `code`. */
export class GateError extends Error {
  override readonly name = 'GateError';
  readonly code: GateErrorCode;

  constructor(code: GateErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
