import { manualClock, type ManualClock } from '@aepkit/testkit';

import {
  memoryStream,
  SubscriptionProducer,
  type ConnectOptions,
  type EventStream,
  type Message,
  type ProducerConnection,
  type ProducerIncident,
  type ProducerOptions,
  type Publication,
} from '../src/index.js';

/** Ids `x1`, `x2` and so on. */
export function ids(prefix: string): () => string {
  let last = 0;
  return () => `${prefix}${String((last += 1))}`;
}

/** A message that is valid unless told otherwise; `undefined` removes a field. */
export function message(overrides: Readonly<Record<string, unknown>> = {}): Message {
  const fields: Record<string, unknown> = {
    aep_version: '0.1',
    id: 'e1',
    type: 'memory.fact.added',
    source: 'memory:main',
    created_at: '2026-07-09T10:00:00Z',
    payload: {},
    ...overrides,
  };
  for (const name of Object.keys(fields)) if (fields[name] === undefined) Reflect.deleteProperty(fields, name);
  return fields as Message;
}

/** A consumer's end of a connection that says exactly what a test wants. */
export class Peer {
  readonly connection: ProducerConnection;
  readonly texts: string[] = [];
  /** Answers of `send`. */
  free = true;
  closed = false;
  #read = 0;
  readonly #createId = ids('req_');

  constructor(producer: SubscriptionProducer, options: Partial<ConnectOptions> = {}) {
    this.connection = producer.connect({
      transport: 'test',
      send: (text) => {
        this.texts.push(text);
        return this.free;
      },
      close: () => (this.closed = true),
      ...options,
    });
  }

  /** Everything that came. */
  get all(): Message[] {
    return this.texts.map((text) => JSON.parse(text) as Message);
  }

  /** What came since the last call. */
  take(): Message[] {
    const fresh = this.all.slice(this.#read);
    this.#read = this.texts.length;
    return fresh;
  }

  /** Sends a message; gives its id. */
  say(type: string, payload: unknown, overrides: Readonly<Record<string, unknown>> = {}): string {
    const sent = message({ id: this.#createId(), type, payload, source: 'agent:researcher', session_id: 'sess_1', ...overrides });
    this.connection.receive(JSON.stringify(sent));
    return sent.id;
  }

  /** Opens a session and forgets the answer. */
  open(sessionId = 'sess_1'): this {
    this.say('session.opened', { session_id: sessionId, version: '0.1' }, { session_id: sessionId });
    const answer = this.take().at(-1);
    if (answer?.type !== 'session.ready') throw new Error(`not ready: ${JSON.stringify(answer)}`);
    return this;
  }

  /** Subscribes; gives the id. */
  subscribe(filter: unknown, sessionId = 'sess_1'): string {
    this.say('subscription.requested', filter, { session_id: sessionId });
    const answer = this.take().find(({ type }) => type === 'subscription.created' || type === 'subscription.rejected');
    const id = (answer?.payload as { subscription_id?: string } | undefined)?.subscription_id;
    if (answer?.type !== 'subscription.created' || id === undefined) throw new Error(`not created: ${JSON.stringify(answer)}`);
    return id;
  }

  /** Asks for a subscription; gives the answer. */
  request(filter: unknown, overrides: Readonly<Record<string, unknown>> = {}): Message {
    this.say('subscription.requested', filter, overrides);
    const [answer] = this.take();
    if (answer === undefined) throw new Error('no answer');
    return answer;
  }

  acknowledge(id: string, sessionId = 'sess_1'): void {
    this.say('event.acknowledged', { acknowledged_event_id: id }, { session_id: sessionId });
  }
}

export interface Rig {
  readonly clock: ManualClock;
  readonly producer: SubscriptionProducer;
  readonly stream: EventStream;
  readonly incidents: ProducerIncident[];
  peer(options?: Partial<ConnectOptions>): Peer;
  /** Publishes `memory.fact.added` with the id, unless told otherwise. */
  publish(id: string, fields?: Partial<Publication>): void;
}

/** A producer with its own time, and peers for it. */
export function rig(options: Partial<ProducerOptions> = {}): Rig {
  const clock = manualClock(Date.UTC(2026, 6, 9, 10));
  const stream = options.stream ?? memoryStream({ id: 'stream_01' });
  const incidents: ProducerIncident[] = [];
  const producer = new SubscriptionProducer({
    source: 'memory:main',
    now: () => clock.now(),
    timers: clock,
    createId: ids('p'),
    onIncident: (incident) => incidents.push(incident),
    ...options,
    stream,
  });
  return {
    clock,
    producer,
    stream,
    incidents,
    peer: (connect) => new Peer(producer, connect),
    publish: (id, fields = {}) => void producer.publish({ id, type: 'memory.fact.added', payload: { id }, ...fields }),
  };
}

/** Ids of the domain events among messages. */
export function events(messages: readonly Message[]): string[] {
  return messages.filter(({ delivery }) => delivery !== undefined).map(({ id }) => id);
}

/** Modes of the domain events among messages. */
export function modes(messages: readonly Message[]): (string | undefined)[] {
  return messages.filter(({ delivery }) => delivery !== undefined).map(({ delivery }) => delivery?.mode);
}

/** `payload.error` of an answer. */
export function errorOf(answer: Message | undefined): { code: string; message: string; retryable: boolean; details?: { reason?: string } } {
  return (answer?.payload as { error: { code: string; message: string; retryable: boolean } }).error;
}

/** A member of a payload. */
export function part(answer: Message | undefined, name: string): unknown {
  return (answer?.payload as Readonly<Record<string, unknown>> | undefined)?.[name];
}
