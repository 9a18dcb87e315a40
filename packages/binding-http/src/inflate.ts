import { createBrotliDecompress, createGunzip, createInflate, type BrotliDecompress, type Gunzip, type Inflate } from 'node:zlib';

import type { Coding } from './content-coding.js';
import type { Account } from './ledger.js';
import { longLine, overloaded, tooLarge } from './body-refusals.js';
import { refuse, type Refusal } from './refusal.js';

const CHUNK_BYTES = 65_536;
const LF = 0x0a;

/** Bounds of one inflation. */
export interface InflateBounds {
  readonly maxBytes: number;
  /** A line that has grown beyond this ends it as well: a bomb is mostly one long line. */
  readonly maxLineBytes: number;
  readonly account: Account;
}

/**
 * Undoes a content coding and stops at a bound: what lies behind it is never inflated, whatever the body claims of its
 * length. Several gzip members count as one body.
 */
export function inflate(bytes: Uint8Array, coding: Coding, bounds: InflateBounds): Promise<Uint8Array | Refusal> {
  const { maxBytes, maxLineBytes, account } = bounds;
  return new Promise((resolve) => {
    const stream = decoder(coding);
    const chunks: Buffer[] = [];
    let size = 0;
    let lineStart = 0;
    const stop = (refusal: Refusal): void => {
      chunks.length = 0;
      stream.destroy();
      resolve(refusal);
    };
    stream.on('data', (chunk: Buffer) => {
      const newline = chunk.lastIndexOf(LF);
      if (newline >= 0) lineStart = size + newline + 1;
      size += chunk.length;
      if (size > maxBytes) stop(tooLarge(maxBytes, 'inflated'));
      else if (size - lineStart > maxLineBytes) stop(longLine(maxLineBytes));
      else if (account.take(chunk.length)) chunks.push(chunk);
      else stop(overloaded());
    });
    const invalid = (): void => {
      stop(refuse(400, 'invalid-event', `the body is not valid ${coding}`, { code: 'invalid-encoding' }));
    };
    stream.on('end', () => {
      // zlib passes over what lies behind its end; Events in there would be lost with a 202.
      if (stream.bytesWritten === bytes.length) resolve(Buffer.concat(chunks, size));
      else invalid();
    });
    stream.on('error', invalid);
    stream.end(bytes);
  });
}

function decoder(coding: Coding): Gunzip | Inflate | BrotliDecompress {
  switch (coding) {
    case 'gzip':
      return createGunzip({ chunkSize: CHUNK_BYTES });
    case 'deflate':
      return createInflate({ chunkSize: CHUNK_BYTES });
    case 'br':
      return createBrotliDecompress({ chunkSize: CHUNK_BYTES });
  }
}
