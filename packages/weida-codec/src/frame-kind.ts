/** The kind of a frame, by the names of the specification. */
export type FrameKind = 'HELLO' | 'DATA' | 'ERROR' | 'SUBSCRIBE' | 'UNSUBSCRIBE' | 'CREDIT' | 'CURSOR';

/** Frame kinds by the octet that stands for them, 0 to 6; every other octet is a violation (weida §4). */
export const FRAME_KINDS: readonly FrameKind[] = Object.freeze(['HELLO', 'DATA', 'ERROR', 'SUBSCRIBE', 'UNSUBSCRIBE', 'CREDIT', 'CURSOR']);

/** Whether the sender ends the stream right after the header: every kind but DATA and CURSOR (weida §4). */
export function isHeaderOnly(kind: FrameKind): boolean {
  return kind !== 'DATA' && kind !== 'CURSOR';
}
