import type { LogMark, ReplayFrom } from './contracts.js';
import { LiveQueue } from './live-queue.js';
import type { LiveSubscription } from './subscription.js';

/** Live Events fanned out behind `from`, waiting for the stages ahead of them. */
export interface QueueStage {
  readonly type: 'queue';
  from: LogMark;
  /** `undefined`: the last stage, to which live Events are added. */
  to: LogMark | undefined;
  readonly queue: LiveQueue;
  /** Its admitted Events were forgotten: they are read back from the log, `from` to `to`. */
  gap: boolean;
}

/** History for one subscription, up to the mark in whose turn it was registered. */
export interface ReplayStage {
  readonly type: 'replay';
  readonly subscription: LiveSubscription;
  readonly from: ReplayFrom | undefined;
  readonly upTo: LogMark;
}

/** Admitted Events that a queue forgot, for the subscriptions that were there at `from`. */
export interface ReadBackStage {
  readonly type: 'read-back';
  readonly from: LogMark;
  readonly upTo: LogMark;
}

/** One step of what a consumer is still to get. */
export type Stage = QueueStage | ReplayStage | ReadBackStage;

export function queueStage(from: LogMark): QueueStage {
  return { type: 'queue', from, to: undefined, queue: new LiveQueue(), gap: false };
}
