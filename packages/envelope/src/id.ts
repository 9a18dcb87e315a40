import { encodeTime, incrementBase32, TIME_MAX } from 'ulid';

const RANDOM_CHARS = 16;
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LAST_RANDOM = 'Z'.repeat(RANDOM_CHARS);

/** Options of {@link createIdFactory}. */
export interface IdFactoryOptions {
  /** Milliseconds since 1970; default `Date.now`. */
  readonly now?: () => number;
  /** A number from 0 up to but not including 1; default 5 bits of `crypto.getRandomValues` at a time. */
  readonly random?: () => number;
}

/**
 * Makes a source of ULIDs for `id` (AEP-0001 §5.1): 26 characters that sort by time. Ids of one factory are strictly
 * ascending, also within a millisecond and when the clock steps back.
 *
 * The function it returns takes the time in milliseconds, default `now()`; it throws RangeError for one that is no whole
 * number from 0 to 2^48−1.
 */
export function createIdFactory(options: IdFactoryOptions = {}): (now?: number) => string {
  const { now = Date.now, random = secureRandom() } = options;
  let lastTime = -1;
  let lastRandom = '';
  return (time = now()) => {
    const at = Math.floor(time);
    if (!(at >= 0 && at <= TIME_MAX)) throw new RangeError('the time of an id is 0 to 2^48-1 milliseconds');
    if (at > lastTime) {
      lastTime = at;
      lastRandom = draw(random);
    } else if (lastRandom === LAST_RANDOM) {
      lastTime += 1;
      lastRandom = draw(random);
    } else {
      lastRandom = incrementBase32(lastRandom);
    }
    return encodeTime(lastTime) + lastRandom;
  };
}

let shared: ((now?: number) => string) | undefined;

/**
 * A new ULID from the factory of this process, ascending within it.
 *
 * @param now milliseconds since 1970; default the current time
 */
export function createId(now?: number): string {
  shared ??= createIdFactory();
  return shared(now);
}

function draw(random: () => number): string {
  let text = '';
  for (let count = 0; count < RANDOM_CHARS; count += 1) text += ALPHABET.charAt(Math.floor(random() * 32) & 31);
  return text;
}

/** Draws bytes in blocks: one call per character costs more than the rest of an id. */
function secureRandom(): () => number {
  const bytes = new Uint8Array(256);
  let next = bytes.length;
  return () => {
    if (next === bytes.length) {
      crypto.getRandomValues(bytes);
      next = 0;
    }
    const byte = bytes[next] ?? 0;
    next += 1;
    return byte / 256;
  };
}
