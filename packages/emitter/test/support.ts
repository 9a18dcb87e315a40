import type { AepEvent } from '@aepkit/envelope';
import { StreamValidator, type StreamIssue } from '@aepkit/taxonomy';
import { expect } from 'vitest';

import { createEmitter, EmitterError, memoryTransport, type Emitter, type EmitterErrorCode, type EmitterOptions, type MemoryTransport, type Session, type VendorType } from '../src/index.js';

/** An emitter into memory whose batches go at the end of the turn. */
export function collect(options: Partial<EmitterOptions> = {}): { emitter: Emitter; transport: MemoryTransport; events: () => Promise<AepEvent[]> } {
  const transport = memoryTransport();
  const emitter = createEmitter({ agent: 'agent', host: 'host', transport, batchDelayMs: 0, ...options });
  return {
    emitter,
    transport,
    events: async () => {
      await emitter.flush();
      return transport.events.map(({ event }) => event);
    },
  };
}

/** `emit` as plain JavaScript calls it. */
export function emitAny(session: Session, type: unknown, emission?: unknown): string {
  return session.emit(type as VendorType, emission as object);
}

/** The code a call is refused with. */
export function refusal(call: () => unknown): EmitterErrorCode {
  try {
    call();
  } catch (error) {
    if (error instanceof EmitterError) return error.code;
    throw error;
  }
  return expect.unreachable('it was not refused');
}

export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
  return expect.unreachable('it was not refused');
}

/** What a validator finds in a stream, errors only. */
export function faults(events: readonly AepEvent[]): readonly StreamIssue[] {
  const validator = new StreamValidator();
  return [...events.flatMap((event) => validator.push(event)), ...validator.end()].filter(({ severity }) => severity === 'error');
}
