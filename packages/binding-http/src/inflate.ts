import { createBrotliDecompress, createGunzip, createInflate, type BrotliDecompress, type Gunzip, type Inflate } from 'node:zlib';

import type { Coding } from './content-coding.js';
import type { Account } from './ledger.js';
import { overloaded, tooLarge } from './body-refusals.js';
import { refuse, type Refusal } from './refusal.js';

const CHUNK_BYTES = 65_536;

/**
 * Undoes a content coding and stops at the bound: what lies behind it is never inflated, whatever the body claims of
 * its length. Several gzip members count as one body.
 */
export function inflate(bytes: Uint8Array, coding: Coding, maxBytes: number, account: Account): Promise<Uint8Array | Refusal> {
  return new Promise((resolve) => {
    const stream = decoder(coding);
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = (refusal: Refusal): void => {
      chunks.length = 0;
      stream.destroy();
      resolve(refusal);
    };
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) stop(tooLarge(maxBytes, 'inflated'));
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
