import { wireEvent, type AepEvent, type WireEvent } from '@aepkit/envelope';

/** Events that go in one request, made once: a repeat sends the same bytes. */
export interface OutgoingBatch {
  readonly lines: readonly Uint8Array[];
  /** Place of the first one among those given to `send`. */
  readonly offset: number;
}

const encoder = new TextEncoder();
const NEWLINE = 0x0a;

/** Takes the text of an Event as it is, or makes one from an Event built in code. Throws `EnvelopeError` for one that does not hold. */
export function encodeEvent(event: WireEvent | AepEvent): Uint8Array {
  return encoder.encode(isWire(event) ? event.json : wireEvent(event).json);
}

/** An extension attribute is never an object, so an `AepEvent` cannot look like this. */
function isWire(event: WireEvent | AepEvent): event is WireEvent {
  return typeof event.event === 'object' && typeof event.json === 'string';
}

/** Splits in order, by count and by bytes. A line that is larger than a whole batch goes alone: whether it fits is for the endpoint to say. */
export function splitBatches(lines: readonly Uint8Array[], maxEvents: number, maxBytes: number): OutgoingBatch[] {
  const batches: OutgoingBatch[] = [];
  let start = 0;
  let size = 0;
  lines.forEach((line, at) => {
    const next = size + line.length + 1;
    if (at > start && (at - start >= maxEvents || next > maxBytes)) {
      batches.push({ lines: lines.slice(start, at), offset: start });
      start = at;
      size = line.length + 1;
    } else {
      size = next;
    }
  });
  if (start < lines.length) batches.push({ lines: lines.slice(start), offset: start });
  return batches;
}

/** Splits one batch in two, in order. */
export function halve(batch: OutgoingBatch): [OutgoingBatch, OutgoingBatch] {
  const middle = Math.ceil(batch.lines.length / 2);
  return [
    { lines: batch.lines.slice(0, middle), offset: batch.offset },
    { lines: batch.lines.slice(middle), offset: batch.offset + middle },
  ];
}

/** Body and media type of a batch (AEP-0003 §3.2). */
export function renderBatch(batch: OutgoingBatch): { body: Uint8Array<ArrayBuffer>; contentType: string } {
  const single = batch.lines.length === 1;
  const size = batch.lines.reduce((sum, line) => sum + line.length + (single ? 0 : 1), 0);
  const body = new Uint8Array(size);
  let at = 0;
  for (const line of batch.lines) {
    body.set(line, at);
    at += line.length;
    if (!single) {
      body[at] = NEWLINE;
      at += 1;
    }
  }
  return { body, contentType: single ? 'application/json' : 'application/x-ndjson' };
}
