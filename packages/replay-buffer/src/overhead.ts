// What is held with a text, in bytes, rounded up from what `bench/memory.bench.mjs` measures. Names count twice their
// length on top, since a string may take two bytes per character.

/** Counted per Event on top of its JSON text. */
export const EVENT_OVERHEAD_BYTES = 260;
/** Counted per foreign-emitter Event and owner session that it is anchored in, on top. */
export const ANCHOR_OVERHEAD_BYTES = 150;
/** Counted per `(source, session)` held. */
export const SESSION_OVERHEAD_BYTES = 1000;
/** Counted per source with an Event held. */
export const SOURCE_OVERHEAD_BYTES = 300;
/** Counted per `(source, session)` that is remembered as evicted. */
export const EVICTED_OVERHEAD_BYTES = 400;
