import { EnvelopeError, issueAt } from './errors.js';

let decoder: { decode(bytes: Uint8Array): string } | undefined;

/**
 * Decodes UTF-8 and refuses what is not UTF-8, instead of putting U+FFFD in its place. A byte-order mark is kept, as
 * U+FEFF, for the caller to see.
 *
 * Throws {@link EnvelopeError} `invalid-utf8`.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  decoder ??= new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    return decoder.decode(bytes);
  } catch {
    throw new EnvelopeError(issueAt('invalid-utf8', '$', 'AEP-0001 §5', 'the bytes are not UTF-8'));
  }
}
