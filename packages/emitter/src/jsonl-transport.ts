import { JsonlLog, JsonlOutput, JsonlWriteError, JsonlWriter, type JsonlLogOptions, type JsonlOutputOptions, type JsonlWriterOptions } from '@aepkit/binding-jsonl/writer';
import type { WireEvent } from '@aepkit/envelope';

import { TransportError } from './errors.js';
import type { Transport } from './transport.js';

/**
 * Where the lines go: one file (`path`), a log per session (`root`), or a stream such as standard output (`output`). Other
 * options are those of `@aepkit/binding-jsonl/writer`.
 */
export type JsonlTransportOptions =
  | JsonlWriterOptions
  | JsonlLogOptions
  | (JsonlOutputOptions & { readonly output: NodeJS.WritableStream & { readonly writableLength?: number } });

/**
 * Writes Events as JSON lines (AEP-0003 §3.1). A full disk or a file that cannot be opened may pass: what waits is kept.
 *
 * Throws RangeError or TypeError for options that cannot be used.
 *
 * @example
 * const transport = jsonlTransport({ root: 'logs', fsync: 'always' });
 */
export function jsonlTransport(options: JsonlTransportOptions): Transport {
  if ('output' in options) {
    const output = new JsonlOutput(options.output, options);
    return { send: (batch) => attempt(batch, (events) => output.append(events)) };
  }
  const writer = 'root' in options ? new JsonlLog(options) : new JsonlWriter(options);
  return { send: (batch) => attempt(batch, (events) => writer.append(events)), close: () => writer.close() };
}

async function attempt(batch: readonly WireEvent[], append: (events: readonly WireEvent[]) => Promise<void>): Promise<void> {
  try {
    await append(batch);
  } catch (error) {
    if (!(error instanceof JsonlWriteError)) throw error;
    const { code, message, failed } = error;
    // Of several files some may be written: what comes first and is kept does not come again.
    const accepted = failed === undefined ? 0 : (failed[0] ?? 0);
    throw new TransportError(message, {
      retryable: code !== 'too-large' && code !== 'invalid-name' && code !== 'not-one-line',
      ...(code === 'sync-failed' ? {} : { accepted }),
      cause: error,
    });
  }
}
