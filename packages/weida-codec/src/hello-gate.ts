import { APPLICATION_CODE } from './application-code.js';
import { type FrameKind } from './frame-kind.js';
import { type HelloFrame } from './hello-frame.js';
import { negotiate, type Negotiation } from './negotiate.js';

/** What to do with a stream whose kind is known: read on, keep it unread behind its preamble, or drop it in silence. */
export type Arrival = 'process' | 'park' | 'ignore';

/**
 * One connection before and after the peer's HELLO (weida §2.2): streams may overtake it and are parked, not refused. Sockets
 * and timers are the transport's.
 */
export class HelloGate {
  readonly #ours: HelloFrame;
  #outcome: Negotiation | undefined;

  constructor(ours: HelloFrame) {
    this.#ours = ours;
  }

  /** The outcome, once the peer's HELLO was processed. */
  get outcome(): Negotiation | undefined {
    return this.#outcome;
  }

  /**
   * Judges a stream by its kind. A second HELLO is read, because one that does not decode is a violation like
   * any other, and then changes nothing (OPEN-12). After a failure everything is ignored.
   */
  arrival(kind: FrameKind): Arrival {
    if (this.#outcome === undefined) return kind === 'HELLO' ? 'process' : 'park';
    return this.#outcome.ok ? 'process' : 'ignore';
  }

  /** Processes the peer's HELLO; parked streams go on when the outcome is `ok`. A second one changes nothing. */
  hello(theirs: HelloFrame): Negotiation {
    return (this.#outcome ??= negotiate(this.#ours, theirs));
  }

  /** `hello_timeout` has passed: the code to close the connection with, or `undefined` where HELLO came in time. */
  timeout(): typeof APPLICATION_CODE.negotiationFailed | undefined {
    return this.#outcome === undefined ? APPLICATION_CODE.negotiationFailed : undefined;
  }
}
