import type { WireEvent } from '@aepkit/envelope';
import type { Exhausted, Replayed, ReplayHint } from './contracts.js';
import { SharedBatch, SharedDelivery } from './delivery.js';
import { lower } from './fanout.js';
import type { Matched, Parcel } from './parcel.js';
import type { LiveSubscription } from './subscription.js';

/** Who wants an Event of a replay, and at which ceiling. */
export interface Selection {
  /** The only subscription it serves, where there is one. */
  readonly sole: LiveSubscription | undefined;
  readonly hint: ReplayHint;
  match(wire: WireEvent): { readonly rank: number; readonly matched: Matched } | undefined;
}

/** Where a replay goes. `send` settles when the consumer can take more. */
export interface ReplayTarget {
  stopped(): boolean;
  send(parcel: Parcel): Promise<void>;
  exhausted(marker: Exhausted): void;
  /** The marker of this session waits for its next Event. */
  owed(session: string, behind: Pick<Exhausted, 'epoch' | 'seq'> | undefined): void;
}

/** How a replay shares the event loop. */
export interface ReplayPace {
  readonly writeBytes: number;
  readonly yieldTurn: () => Promise<void>;
}

/** A replay serves the subscription that asked, at its own ceiling, under the filter it has live (AEP-0003 §5, §6.5). */
export function replaySelection(subscription: LiveSubscription): Selection {
  const { filter, rank } = subscription;
  const verdict = { rank, matched: subscription };
  // A log may read an Event only when somebody looks at it; a filter of nothing does not.
  const match: Selection['match'] = filter.text === '{}' ? () => verdict : (wire) => (filter.matches(wire.event) ? verdict : undefined);
  return { sole: subscription, hint: hintOf([subscription]), match };
}

/** What fan-out forgot is read back as fan-out would have sent it: once, at the widest ceiling of those that match. */
export function readBackSelection(subscriptions: readonly LiveSubscription[]): Selection {
  return {
    sole: subscriptions.length === 1 ? subscriptions[0] : undefined,
    hint: hintOf(subscriptions),
    match: (wire) => {
      const matched = subscriptions.filter((each) => !each.closed && each.filter.matches(wire.event));
      return matched.length === 0 ? undefined : { rank: Math.max(...matched.map((each) => each.rank)), matched };
    },
  };
}

/**
 * Sends a replay, a bounded number of bytes at a time, and lets others have the event loop in between: also where little
 * of what is read is wanted. Throws what the log throws.
 */
export async function sendReplay(
  source: AsyncIterable<readonly Replayed[]>,
  selection: Selection,
  target: ReplayTarget,
  pace: ReplayPace,
): Promise<void> {
  let deliveries: SharedDelivery[] = [];
  let matched: Matched[] = [];
  let scanned = 0;
  const flush = async (): Promise<void> => {
    scanned = 0;
    if (deliveries.length === 0) return;
    const parcel = { batch: new SharedBatch(deliveries), sole: selection.sole, matched };
    deliveries = [];
    matched = [];
    await target.send(parcel);
  };
  for await (const chunk of source) {
    for (const step of chunk) {
      if (target.stopped()) return;
      switch (step.type) {
        case 'event': {
          scanned += step.event.json.length;
          const verdict = selection.match(step.event);
          if (verdict !== undefined) {
            deliveries.push(new SharedDelivery(lower(step.event, verdict.rank), true));
            if (selection.sole === undefined) matched.push(verdict.matched);
          }
          if (scanned >= pace.writeBytes) {
            await flush();
            await pace.yieldTurn();
          }
          break;
        }
        case 'exhausted':
          // The marker stands ahead of its session's Events and behind those of the session before (AEP-0003 §5).
          await flush();
          if (target.stopped()) return;
          target.exhausted({ session: step.session, epoch: step.epoch, seq: step.seq });
          break;
        case 'session-end':
          if (step.owed === true) target.owed(step.session, step.behind);
          break;
      }
    }
  }
  if (!target.stopped()) await flush();
}

function hintOf(subscriptions: readonly LiveSubscription[]): ReplayHint {
  const sessions = new Set<string>();
  for (const { filter } of subscriptions) {
    if (filter.sessions === undefined) return {};
    for (const session of filter.sessions) sessions.add(session);
  }
  return { sessions };
}
