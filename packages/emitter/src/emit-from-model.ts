import type { VendorType } from './emission.js';
import { EmitterError } from './errors.js';
import { snapshot } from './snapshot.js';
import type { Session } from './session.js';

/** Facts that a program knows of first hand: a model has no say in them (AEP-0001 §9). */
const PROGRAMMATIC: readonly string[] = ['agent.', 'session.', 'run.', 'tool.', 'delegation.', 'control.'];
const PROGRAMMATIC_TYPES: ReadonlySet<string> = new Set(['attention.answered', 'attention.resolved', 'attention.timeout']);
/** Members a model may set; positions, labels and causes are not its business. */
const MEMBERS: readonly string[] = ['type', 'subject', 'run', 'step', 'severity', 'data'];

/** What a model may ask for is far smaller than what a program may: 64 Ki characters and values. */
const LIMITS = { maxDepth: 16, maxUnits: 65_536 };

/**
 * Emits what a model asked for through an `emit_event` tool, and gives the id. The Event is the one that `session.emit` makes of the
 * same input (AEP-0001 §9).
 *
 * Input is untrusted: `{ type, subject?, run?, step?, severity?, data? }`, with nothing else in it. Types that a program can tell by itself
 * are refused with {@link EmitterError} `not-for-models`; other codes as in `session.emit`. The message may go back to the model.
 *
 * @example
 * emitFromModel(session, { type: 'progress.status', data: { phase: 'build', percent: 40 } });
 */
export function emitFromModel(session: Session, input: unknown): string {
  const { type, ...emission } = snapshot(input, 'input', LIMITS);
  for (const name of Object.keys(emission)) {
    if (!MEMBERS.includes(name)) throw new EmitterError('invalid-payload', 'holds a member that is not for models', { path: '$.input' });
  }
  if (typeof type !== 'string') throw new EmitterError('unknown-type', 'is not a text', { path: '$.type' });
  const category = type.startsWith('x.') ? `${type.split('.', 3)[2] ?? ''}.` : type;
  if (PROGRAMMATIC.some((prefix) => category.startsWith(prefix)) || PROGRAMMATIC_TYPES.has(type)) {
    throw new EmitterError('not-for-models', 'the program knows this itself', { path: '$.type' });
  }
  // Checked in there as untyped input is: every attribute and the whole payload.
  return session.emit(type as VendorType, emission);
}
