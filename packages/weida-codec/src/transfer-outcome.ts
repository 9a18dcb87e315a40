import { type Uint } from './uint.js';

/** What is known about a one-way transfer. Both may hold at once: the receipt can overtake a refusal (weida §9.2). */
export interface TransferOutcome {
  /** The peer's transport holds every octet. It says nothing about the application. */
  readonly received: boolean;
  /** The code of the peer's `STOP_SENDING`, an {@link APPLICATION_CODE} or one of a later version, where one was seen; a small transfer may be refused and nobody sees it. */
  readonly refused: Uint | undefined;
}

/** Puts receipt and refusal of a one-way transfer side by side; neither takes the other back. */
export function transferOutcome(receipt: boolean, stop?: Uint): TransferOutcome {
  return { received: receipt, refused: stop };
}
