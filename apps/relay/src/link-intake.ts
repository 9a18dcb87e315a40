import { setTimeout as sleep } from 'node:timers/promises';

import type { Principal } from '@aepkit/access';
import type { EndpointLog } from '@aepkit/endpoint';
import type { WireEvent } from '@aepkit/envelope';
import { type Exhausted, type Hub, HubError } from '@aepkit/hub';

/** Events that are handed to the hub at once. */
const MAX_BATCH_EVENTS = 512;
/** Text that is handed to the hub at once, in UTF-16 units; the Event that reaches it still belongs to the batch. */
const MAX_BATCH_TEXT = 256 * 1024;
/** Batches that wait for the hub from which on a link is not read. */
const MAX_WAITING = 4;
/** How long a batch waits where the hub is overloaded, in milliseconds. */
const OVERLOAD_WAIT_MS = 50;

/** What comes over a link was authorised where it was taken; commands among it are history. */
const LINK: Principal = { name: 'upstream', scopes: new Set(['emit'] as const), authenticated: true };

/** Hands what comes over a link to the hub, in its order, many at a time. */
export interface LinkIntake {
  /** Settles when there is room for the next one. */
  add(event: WireEvent): Promise<void> | undefined;
  /** Events ahead of this position never come. Settles when what came before has been admitted and the hub knows. */
  missed(earliest: Exhausted): Promise<void>;
  /** Settles when all has been admitted. */
  flush(): Promise<void>;
}

/** What {@link linkIntake} needs. */
export interface LinkIntakeParts {
  readonly hub: Pick<Hub, 'ingest' | 'missed'>;
  readonly log: EndpointLog;
  readonly upstream: string;
  /** Default: `setImmediate`, so that what came in one turn is one batch. */
  readonly schedule?: (flush: () => void) => void;
  /** Default: a timer. */
  readonly wait?: (ms: number) => Promise<void>;
}

/** Makes a {@link LinkIntake}. */
export function linkIntake({ hub, log, upstream, schedule = (flush) => void setImmediate(flush), wait = (ms) => sleep(ms) }: LinkIntakeParts): LinkIntake {
  let batch: WireEvent[] = [];
  let text = 0;
  let scheduled = false;
  let waiting = 0;
  let sent: Promise<void> = Promise.resolve();
  let closing = false;

  const ingest = async (events: readonly WireEvent[]): Promise<void> => {
    while (!closing) {
      try {
        await hub.ingest(events, { principal: LINK, via: 'link' });
        return;
      } catch (error) {
        if (!(error instanceof HubError)) throw error;
        if (error.code === 'closing') closing = true;
        else if (error.code === 'overloaded' || error.code === 'unavailable') await wait(OVERLOAD_WAIT_MS);
        else if (events.length > 1) {
          // One of them is not to be had, and the others must not suffer for it.
          for (const event of events) await ingest([event]);
          return;
        } else {
          log.error({ upstream, code: error.code, err: error }, 'an Event from upstream could not be taken');
          return;
        }
      }
    }
  };

  const send = (): Promise<void> => {
    if (batch.length === 0) return sent;
    const events = batch;
    batch = [];
    text = 0;
    waiting++;
    sent = sent
      .then(() => ingest(events))
      .catch((error: unknown) => {
        log.error({ upstream, err: error }, 'Events from upstream could not be taken');
      })
      .finally(() => waiting--);
    return sent;
  };

  return {
    add(event) {
      batch.push(event);
      text += event.json.length;
      if (batch.length >= MAX_BATCH_EVENTS || text >= MAX_BATCH_TEXT) {
        const done = send();
        return waiting >= MAX_WAITING ? done : undefined;
      }
      if (!scheduled) {
        scheduled = true;
        schedule(() => {
          scheduled = false;
          void send();
        });
      }
      return undefined;
    },
    async missed(earliest) {
      await send();
      hub.missed(earliest);
    },
    flush: send,
  };
}
