import { WeidaError } from './errors.js';
import { checkOctets } from './octets.js';

/** Octets of a group token. */
export const GROUP_TOKEN_BYTES = 16;

/**
 * How a connection over a socket or a named pipe begins; never a QUIC one (weida §2.1). `control` is answered with the bare
 * group token, and HELLO follows both ways; `transfer` carries one stream; `reverse` is parked for the acceptor.
 */
export type LocalPreamble = { readonly role: 'control' } | { readonly role: 'transfer' | 'reverse'; readonly token: Uint8Array };

const ROLES: ReadonlyMap<string, number> = new Map([['transfer', 2], ['reverse', 3]]);

/**
 * The octets of a local preamble: `0x01`, or `0x02` or `0x03` and the token.
 *
 * @throws `RangeError` for a token that is not 16 octets long; `TypeError` for an unknown role.
 */
export function encodeLocalPreamble(preamble: LocalPreamble): Uint8Array {
  if (preamble.role === 'control') return Uint8Array.of(1);
  if (preamble.token.length !== GROUP_TOKEN_BYTES) throw new RangeError(`a group token has ${GROUP_TOKEN_BYTES} octets`);
  const octet = ROLES.get(preamble.role);
  if (octet === undefined) throw new TypeError('not a role of a local connection');
  return Uint8Array.of(octet, ...preamble.token);
}

/** Reads a local preamble from chunks of any size. */
export class LocalPreambleReader {
  readonly #token = new Uint8Array(GROUP_TOKEN_BYTES);
  #role: 'transfer' | 'reverse' | undefined;
  #filled = 0;
  #done = false;
  #failure: WeidaError | undefined;

  /**
   * Takes the next octets; gives the preamble when it is complete, with what follows it, and `undefined` until then.
   *
   * @throws {@link WeidaError} `local-preamble` for an unknown first octet: close, and dispatch nothing. It is thrown at every call from
   *   then on.
   */
  push(chunk: Uint8Array): { readonly preamble: LocalPreamble; readonly rest: Uint8Array } | undefined {
    if (this.#failure !== undefined) throw this.#failure;
    checkOctets(chunk);
    if (this.#done) throw new TypeError('the preamble is complete');
    let at = 0;
    if (this.#role === undefined) {
      if (chunk.length === 0) return undefined;
      const octet = chunk[at++] ?? 0;
      if (octet < 1 || octet > 3) {
        throw (this.#failure = new WeidaError('local-preamble', 0, 'W-028', `a local connection that begins with octet ${octet}`));
      }
      if (octet === 1) return this.#complete({ role: 'control' }, chunk.subarray(at));
      this.#role = octet === 2 ? 'transfer' : 'reverse';
    }
    const taken = chunk.subarray(at, at + GROUP_TOKEN_BYTES - this.#filled);
    this.#token.set(taken, this.#filled);
    this.#filled += taken.length;
    if (this.#filled < GROUP_TOKEN_BYTES) return undefined;
    return this.#complete({ role: this.#role, token: this.#token }, chunk.subarray(at + taken.length));
  }

  #complete(preamble: LocalPreamble, rest: Uint8Array): { readonly preamble: LocalPreamble; readonly rest: Uint8Array } {
    this.#done = true;
    return { preamble, rest };
  }
}
