import { DEFAULT_MAX_BYTES, EnvelopeError, isSupportedVersion, parseEvent, type ParseOptions, type WireEvent } from '@aepkit/envelope';

/** What one line is, without its place. */
export type LineVerdict =
  | { readonly type: 'event'; readonly event: WireEvent }
  | { readonly type: 'bad'; readonly code: EnvelopeError['code']; readonly path: string; readonly message: string }
  | { readonly type: 'version'; readonly version: string };

/** Longest version text that is remembered and shown. */
const SHOWN_VERSION = 64;

/** Options for `parseEvent`: size is bounded per line, in bytes, and its default is left alone where it cannot fire. */
export function lineParseOptions(maxLineBytes: number, maxDepth: number): ParseOptions {
  return maxLineBytes <= DEFAULT_MAX_BYTES ? { maxDepth } : { maxDepth, maxBytes: Infinity };
}

/** Reads the text of one line, its line end removed. */
export function readLine(text: string, options: ParseOptions): LineVerdict {
  try {
    return { type: 'event', event: parseEvent(text, options) };
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error;
    const version = otherVersion(text, error.code);
    if (version !== undefined) return { type: 'version', version };
    const { code, path, message } = error;
    return { type: 'bad', code, path, message };
  }
}

/**
 * The version of a line that states one which is not read here (AEP-0003 §3.1; the test is that of O-09: anything but
 * `0.1`). By the rules of its own version such a line may be deeper than ours and its text less strict. A member named
 * twice stays bad: it may name two versions.
 */
function otherVersion(text: string, code: EnvelopeError['code']): string | undefined {
  if (code !== 'unsupported-version' && code !== 'too-deep' && code !== 'lone-surrogate') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'aep')) return undefined;
  const { aep } = value as { readonly aep: unknown };
  if (typeof aep !== 'string' || isSupportedVersion(aep)) return undefined;
  return aep.length <= SHOWN_VERSION ? aep : `${aep.slice(0, SHOWN_VERSION)}…`;
}
