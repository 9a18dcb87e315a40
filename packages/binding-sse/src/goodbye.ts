/** The last comment of a stream that the endpoint ends, by the reason it ends it for. */
export const GOODBYES = {
  shutdown: 'shutting-down',
  'slow-consumer': 'slow-consumer',
  'replay-stalled': 'replay-stalled',
  'replay-evicted': 'replay-evicted',
  unavailable: 'unavailable',
  'replay-done': 'replay-done',
  'internal-error': 'internal-error',
} as const;

/** Why an endpoint ends a stream. */
export type GoodbyeReason = keyof typeof GOODBYES;

/** The text of one goodbye comment. */
export type Goodbye = (typeof GOODBYES)[GoodbyeReason];

const texts: ReadonlySet<string> = new Set(Object.values(GOODBYES));

/** Whether a comment announces the end of its stream. */
export function isGoodbye(comment: string): comment is Goodbye {
  return texts.has(comment);
}
