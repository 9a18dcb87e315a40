import { APPLICATION_CODE, type ApplicationCode } from './application-code.js';
import { type DataFrame } from './data-frame.js';
import { ERROR_CODE, type ErrorFrame } from './error-frame.js';
import { LEVEL } from './level.js';

/** What stands at a path; `undefined` is nothing. */
export type Registration = 'puller' | 'subscriber' | 'acceptor' | 'queue' | 'replier' | 'publisher' | undefined;

/** How a transfer came: a one-way QUIC stream, an exchange, or a local connection, which may be either. */
export type TransferKind = 'uni' | 'bidi' | 'local';

/** What the acceptor makes of the proved peer: it may, it may not, or it is not to learn that the path exists. */
export type Authorization = 'allowed' | 'rejected' | 'hidden';

/** What {@link dispatch} is told beyond stream and path. */
export interface DispatchOptions {
  /** The queue is at its byte bound. Default false. */
  readonly queueFull?: boolean | undefined;
  /** The acceptor's own decision, on the proved identity and the path as a whole. Default `allowed`. */
  readonly authorization?: Authorization | undefined;
}

/** What to do with a transfer. None of it costs the connection. */
export type Dispatch =
  /** Queue it at the path. `confirm`, on an exchange with a queue: the reply, and FIN, once the message is held. */
  | { readonly action: 'accept'; readonly answers: boolean; readonly confirm?: DataFrame }
  /**
   * `stop`: the code of `STOP_SENDING` on the half that is read; absent where no code can be sent. `reply`: the frame, and
   * FIN, on the reply half. `code` is what to count it under.
   */
  | { readonly action: 'refuse'; readonly code: ApplicationCode; readonly stop?: ApplicationCode; readonly reply?: ErrorFrame };

type Refusal = 'rejected' | 'unsupported' | 'unknownEndpoint';

const TRANSFERS: readonly TransferKind[] = ['uni', 'bidi', 'local'];
const AUTHORIZATIONS: readonly Authorization[] = ['allowed', 'rejected', 'hidden'];

/** What each registration serves. */
const SERVES: Readonly<Record<NonNullable<Registration>, { readonly oneWay: boolean; readonly exchange: boolean }>> = {
  puller: { oneWay: true, exchange: false },
  subscriber: { oneWay: true, exchange: false },
  acceptor: { oneWay: true, exchange: true },
  queue: { oneWay: true, exchange: true },
  replier: { oneWay: false, exchange: true },
  publisher: { oneWay: false, exchange: false },
};

/**
 * The dispatch table (weida §9.4; §2.1 for local transports), a pure function of what came and what is registered. On a local
 * connection the path alone decides, and whether an answer is due with it.
 *
 * @throws `TypeError` for a transfer, a registration or an authorization that is none of these: nothing is let in by a misspelling.
 */
export function dispatch(transfer: TransferKind, registration: Registration, options: DispatchOptions = {}): Dispatch {
  if (!TRANSFERS.includes(transfer)) throw new TypeError('not a kind of transfer');
  if (options.authorization !== undefined && !AUTHORIZATIONS.includes(options.authorization)) throw new TypeError('not an authorization');
  if (registration !== undefined && !Object.hasOwn(SERVES, registration)) throw new TypeError('not a registration');
  // A hidden path is answered exactly as one that does not exist.
  if (registration === undefined || options.authorization === 'hidden') return refuse(transfer, undefined, 'unknownEndpoint');
  const serves = SERVES[registration];
  const answers = transfer === 'local' ? serves.exchange : transfer === 'bidi';
  const served = transfer === 'uni' ? serves.oneWay : transfer === 'bidi' ? serves.exchange : serves.oneWay || serves.exchange;
  if (!served) return refuse(transfer, registration, 'unsupported');
  if (options.authorization === 'rejected') return refuse(transfer, registration, 'rejected');
  if (registration !== 'queue') return { action: 'accept', answers };
  if (options.queueFull === true) return refuse(transfer, registration, 'rejected');
  return answers ? { action: 'accept', answers, confirm: { kind: 'DATA', achieved: LEVEL.accepted } } : { action: 'accept', answers };
}

function refuse(transfer: TransferKind, registration: Registration, refusal: Refusal): Dispatch {
  const code = APPLICATION_CODE[refusal];
  const reply: ErrorFrame = { kind: 'ERROR', code: ERROR_CODE[refusal] };
  if (transfer === 'uni') return { action: 'refuse', code, stop: code };
  // A local connection has no code to stop it with, and a path that never writes back cannot answer (OPEN-27).
  if (transfer === 'local') return registration !== undefined && SERVES[registration].exchange ? { action: 'refuse', code, reply } : { action: 'refuse', code };
  return refusal === 'rejected' ? { action: 'refuse', code, reply } : { action: 'refuse', code, stop: code, reply };
}
