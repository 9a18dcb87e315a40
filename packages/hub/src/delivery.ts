import { comparePositions, headOf, isCommand, severityOf, type WireEvent } from '@aepkit/envelope';
import type { Delivery, DeliveryBatch, Encoder } from './contracts.js';

/** What an Event in a queue costs besides its text, in bytes: list slots, framing, bookkeeping. */
export const DELIVERY_OVERHEAD_BYTES = 128;

/** A position with the emitter it belongs to. */
export interface SourcePosition {
  readonly source: string;
  readonly session: string;
  readonly epoch: number;
  readonly seq: number;
}

/** One Event at one ceiling, made once per committed batch and shared by every connection that gets this text. */
export class SharedDelivery implements Delivery {
  readonly event: WireEvent;
  /** The log holds the Event, so that a queue may forget it and read it back. */
  readonly admitted: boolean;
  /** In how many batches it stands. Only a frame that is asked for more than once is worth keeping. */
  shares = 0;
  #bytes = -1;
  #frames: Map<Encoder, Uint8Array> | undefined;

  constructor(event: WireEvent, admitted: boolean) {
    this.event = event;
    this.admitted = admitted;
  }

  /** What it costs in a queue. */
  get bytes(): number {
    if (this.#bytes < 0) this.#bytes = Buffer.byteLength(this.event.json) + DELIVERY_OVERHEAD_BYTES;
    return this.#bytes;
  }

  /** May be dropped towards a slow consumer (AEP-0003 §8.4). Commands and acks never are. */
  get droppable(): boolean {
    const { event } = this.event;
    const severity = severityOf(event);
    return (severity === 'info' || severity === 'debug') && !event.type.startsWith('control.') && !isCommand(event.type);
  }

  frame(encoder: Encoder): Uint8Array {
    const kept = this.#frames?.get(encoder);
    if (kept !== undefined) return kept;
    const frame = encoder(this.event);
    if (this.shares > 1) (this.#frames ??= new Map()).set(encoder, frame);
    return frame;
  }
}

/** A list of deliveries, shared by every connection that gets exactly these. */
export class SharedBatch implements DeliveryBatch {
  readonly deliveries: readonly SharedDelivery[];
  #bytes = -1;
  #latest: readonly SourcePosition[] | undefined;
  #essential: SharedBatch | undefined;
  #unreadable: SharedBatch | undefined;
  #encoded: Map<Encoder, Uint8Array> | undefined;

  constructor(deliveries: readonly SharedDelivery[]) {
    this.deliveries = deliveries;
    for (const delivery of deliveries) delivery.shares++;
  }

  /** What it costs in a queue. */
  get bytes(): number {
    if (this.#bytes < 0) {
      let bytes = 0;
      for (const delivery of this.deliveries) bytes += delivery.bytes;
      this.#bytes = bytes;
    }
    return this.#bytes;
  }

  /** The highest position of every `(source, session)` in it. */
  get latest(): readonly SourcePosition[] {
    return (this.#latest ??= latestOf(this.deliveries));
  }

  /** The part that may not be dropped; itself where that is all of it. */
  get essential(): SharedBatch {
    return (this.#essential ??= this.#part((delivery) => !delivery.droppable));
  }

  /** The part that the log cannot give a second time; itself where that is all of it. */
  get unreadable(): SharedBatch {
    return (this.#unreadable ??= this.#part((delivery) => !delivery.admitted));
  }

  encoded(encoder: Encoder): Uint8Array {
    const kept = this.#encoded?.get(encoder);
    if (kept !== undefined) return kept;
    const bytes = this.#encode(encoder);
    (this.#encoded ??= new Map()).set(encoder, bytes);
    return bytes;
  }

  #encode(encoder: Encoder): Uint8Array {
    const [first] = this.deliveries;
    if (first !== undefined && this.deliveries.length === 1) return first.frame(encoder);
    const { text } = encoder;
    if (text !== undefined && this.deliveries.every(({ shares }) => shares === 1)) {
      return Buffer.from(this.deliveries.map(({ event }) => text(event)).join(''));
    }
    return joinBytes(this.deliveries.map((each) => each.frame(encoder)));
  }

  #part(keep: (delivery: SharedDelivery) => boolean): SharedBatch {
    const part = this.deliveries.filter(keep);
    return part.length === this.deliveries.length ? this : new SharedBatch(part);
  }
}

/** Several shared batches in one write. Joins what each has encoded already, so a queue that is let out encodes nothing. */
export class JoinedBatch implements DeliveryBatch {
  readonly #parts: readonly SharedBatch[];
  #deliveries: readonly SharedDelivery[] | undefined;

  constructor(parts: readonly SharedBatch[]) {
    this.#parts = parts;
  }

  get deliveries(): readonly SharedDelivery[] {
    return (this.#deliveries ??= this.#parts.flatMap((part) => part.deliveries));
  }

  encoded(encoder: Encoder): Uint8Array {
    return joinBytes(this.#parts.map((part) => part.encoded(encoder)));
  }
}

/**
 * A place in the tree of delivery lists of one committed batch. Connections that get the same Events stand at the same
 * node in the end, whatever their filters, and so share one {@link SharedBatch}.
 */
export class DeliveryNode {
  readonly #last: { readonly parent: DeliveryNode; readonly delivery: SharedDelivery } | undefined;
  // Nearly every node has one child: most consumers of a batch get the same next Event.
  #only: { readonly delivery: SharedDelivery; readonly node: DeliveryNode } | undefined;
  #more: Map<SharedDelivery, DeliveryNode> | undefined;
  #batch: SharedBatch | undefined;

  constructor(parent?: DeliveryNode, delivery?: SharedDelivery) {
    this.#last = parent === undefined || delivery === undefined ? undefined : { parent, delivery };
  }

  /** The node one delivery further. */
  child(delivery: SharedDelivery): DeliveryNode {
    if (this.#only?.delivery === delivery) return this.#only.node;
    const known = this.#more?.get(delivery);
    if (known !== undefined) return known;
    const node = new DeliveryNode(this, delivery);
    if (this.#only === undefined) this.#only = { delivery, node };
    else (this.#more ??= new Map()).set(delivery, node);
    return node;
  }

  /** The deliveries from the root to here. */
  get batch(): SharedBatch {
    return (this.#batch ??= new SharedBatch(this.#path()));
  }

  #path(): SharedDelivery[] {
    const path: SharedDelivery[] = [];
    for (let last = this.#last; last !== undefined; last = last.parent.#last) path.push(last.delivery);
    return path.reverse();
  }
}

/** The position of an Event with its source, or `undefined` for one that has no place in the order of a session. */
export function sourcePositionOf(wire: WireEvent): SourcePosition | undefined {
  const { source, session, epoch, seq } = headOf(wire);
  return session === undefined || seq === undefined ? undefined : { source, session, epoch, seq };
}

function latestOf(deliveries: readonly SharedDelivery[]): readonly SourcePosition[] {
  const latest = new Map<string, SourcePosition>();
  for (const { event } of deliveries) {
    const position = sourcePositionOf(event);
    if (position === undefined) continue;
    const key = `${String(position.source.length)}:${position.source}${position.session}`;
    const held = latest.get(key);
    if (held !== undefined && comparePositions(position, held) < 0) continue;
    latest.set(key, position);
  }
  return [...latest.values()];
}

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
