import type { ExactJsonObject, Position } from '@aepkit/envelope';
import type { DeliveredPosition, RosterEntry } from '@aepkit/hub';

/** The frame types of AEP 0.1 (AEP-0003 §2). */
export const FRAME_TYPES = [
  'hello',
  'subscribe',
  'subscribed',
  'unsubscribe',
  'unsubscribed',
  'roster',
  'error',
  'replay-exhausted',
  'closing',
  'ping',
  'pong',
] as const;

/** One of {@link FRAME_TYPES}. */
export type FrameType = (typeof FRAME_TYPES)[number];

/** What a peer is on a connection (AEP-0003 §4). */
export type Role = 'emitter' | 'consumer' | 'both';

/** `identity` of a `hello`. */
export interface Identity {
  /** The `agent` of the Events to come; owed by emitters. */
  readonly agent?: string;
  /** Tells processes of one agent apart. */
  readonly instance?: string;
  /** An identity document (AEP-0003 §8.3); never a condition. */
  readonly card?: unknown;
}

/** The first frame in both directions (AEP-0003 §4). */
export interface HelloFrame {
  readonly type: 'hello';
  /** The initiator's preferences, newest first; exactly one from the responder. */
  readonly versions: readonly string[];
  readonly role: Role;
  readonly identity?: Identity;
  /** Verbatim, unknown keys included. Integers beyond ±(2^53−1) are `bigint`s. */
  readonly capabilities?: ExactJsonObject;
}

/** A subscription request (AEP-0003 §6.5). What it asks for is not checked here. */
export interface SubscribeFrame {
  readonly type: 'subscribe';
  readonly id: string;
  /** An attr-match filter as JSON; integers beyond ±(2^53−1) are `bigint`s. */
  readonly filter?: unknown;
  /** Positions, or `all`. */
  readonly from?: unknown;
  /** The ceiling. */
  readonly capture?: unknown;
}

/** A subscription runs. */
export interface SubscribedFrame {
  readonly type: 'subscribed';
  readonly id: string;
}

/** Ends a subscription. */
export interface UnsubscribeFrame {
  readonly type: 'unsubscribe';
  readonly id: string;
}

/** A subscription is over. */
export interface UnsubscribedFrame {
  readonly type: 'unsubscribed';
  readonly id: string;
}

/** A request for the live claims, or with `entries` the answer (AEP-0003 §4.1). */
export interface RosterFrame {
  readonly type: 'roster';
  readonly id: string;
  readonly entries?: readonly RosterEntry[];
}

/** A refusal (AEP-0003 §2). */
export interface ErrorFrame {
  readonly type: 'error';
  readonly code: string;
  /** Of the `subscribe` or `roster` it answers. */
  readonly id?: string;
  /** `id` of the command or Event it answers. */
  readonly cause?: string;
  /** With `version-unsupported`: what the endpoint speaks. */
  readonly versions?: readonly string[];
  /** Text for people. */
  readonly detail?: string;
}

/** A position named by a subscription is older than what is held (AEP-0003 §5). */
export interface ReplayExhaustedFrame {
  readonly type: 'replay-exhausted';
  readonly sub: string;
  readonly session: string;
  readonly earliest: Pick<Position, 'epoch' | 'seq'>;
}

/** Announces the end of the connection (AEP-0003 §3.5). */
export interface ClosingFrame {
  readonly type: 'closing';
  readonly reason: string;
  readonly delivered: readonly DeliveredPosition[];
}

/** Asks for a sign of life (AEP-0003 §3.5). */
export interface PingFrame {
  readonly type: 'ping';
  /** Opaque; copied back. */
  readonly t?: unknown;
}

/** Answers a ping. From this endpoint it says that the Events ahead of the ping are kept. */
export interface PongFrame {
  readonly type: 'pong';
  readonly t?: unknown;
}

/** A connection-scoped message (AEP-0003 §2). */
export type Frame =
  | HelloFrame
  | SubscribeFrame
  | SubscribedFrame
  | UnsubscribeFrame
  | UnsubscribedFrame
  | RosterFrame
  | ErrorFrame
  | ReplayExhaustedFrame
  | ClosingFrame
  | PingFrame
  | PongFrame;
