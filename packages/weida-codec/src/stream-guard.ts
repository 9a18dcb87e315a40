import { WeidaError } from './errors.js';
import { type FrameKind } from './frame-kind.js';
import { type Frame } from './frame.js';

/**
 * Where octets arrive. On QUIC: a `uni` stream, the `initiating` or the `reply` half of a bidirectional one. On a local
 * transport: the `control` connection, a `transfer` towards the acceptor, a `reverse` one, and the `reply` direction of either.
 */
export type StreamRole = 'uni' | 'initiating' | 'reply' | 'control' | 'transfer' | 'reverse';

const UNI: readonly FrameKind[] = ['HELLO', 'DATA', 'SUBSCRIBE', 'UNSUBSCRIBE', 'CREDIT', 'CURSOR'];

/** What may open each, and the rule that says so. */
const OPENERS: Readonly<Record<StreamRole, { readonly kinds: readonly FrameKind[]; readonly clause: string }>> = {
  uni: { kinds: UNI, clause: 'W-143' },
  initiating: { kinds: ['DATA'], clause: 'W-144' },
  reply: { kinds: ['DATA', 'ERROR'], clause: 'W-145' },
  control: { kinds: ['HELLO'], clause: 'W-030' },
  transfer: { kinds: UNI.filter((kind) => kind !== 'HELLO'), clause: 'W-032' },
  reverse: { kinds: ['DATA'], clause: 'W-044' },
};

/** What may open a stream of this role; throws a `TypeError` for what is none. */
export function openersOf(role: StreamRole): { readonly kinds: readonly FrameKind[]; readonly clause: string } {
  if (!Object.hasOwn(OPENERS, role)) throw new TypeError(`not a stream role: ${role}`);
  return OPENERS[role];
}

/** What one stream may carry (weida §4.1). A {@link FrameReader} with the option `stream` asks it by itself. */
export class StreamGuard {
  readonly role: StreamRole;
  #opened = false;

  constructor(role: StreamRole) {
    openersOf(role);
    this.role = role;
  }

  /**
   * Judges the kind octet.
   *
   * @throws {@link WeidaError} `frame-not-allowed`, at octet 1, for a kind that may not open this stream, and for a second frame.
   */
  open(kind: FrameKind): void {
    const { kinds, clause } = openersOf(this.role);
    if (this.#opened) throw new WeidaError('frame-not-allowed', 1, 'W-145', 'a second frame on one stream');
    if (!kinds.includes(kind)) throw new WeidaError('frame-not-allowed', 1, clause, `${kind} on a stream of kind ${this.role}`);
    this.#opened = true;
  }

  /**
   * Judges the header: DATA that starts a transfer names its endpoint. On a reply an endpoint says nothing.
   *
   * @param at where in the stream the header begins; default 3.
   * @throws {@link WeidaError} `missing-endpoint`.
   */
  header(frame: Frame, at = 3): void {
    if (frame.kind !== 'DATA' || this.role === 'reply' || frame.endpoint !== undefined) return;
    const clause = this.role === 'initiating' ? 'W-208' : 'W-207';
    throw new WeidaError('missing-endpoint', at, clause, 'DATA without an endpoint starts nothing');
  }
}
