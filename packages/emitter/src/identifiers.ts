import { EmitterError } from './errors.js';

/** Longest agent, session, run, step and cause, in UTF-16 code units. */
export const MAX_IDENTIFIER_LENGTH = 512;
/** Longest subject, in UTF-16 code units. */
export const MAX_SUBJECT_LENGTH = 256;
/** Most words of a subject: more reads as a text. */
export const MAX_SUBJECT_WORDS = 8;

// Controls, line and paragraph separators, and the characters that turn the direction of what stands around them.
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/;

/**
 * Checks an identifier (AEP-0003 §9.6): a text, not blank, of bounded length, without characters that do something to a terminal or a
 * log. Sources have ids of all kinds, so no more is asked. Returns it; throws {@link EmitterError} `invalid-identifier`.
 */
export function identifier(name: string, value: unknown, longest: number = MAX_IDENTIFIER_LENGTH): string {
  const refuse = (says: string): EmitterError => new EmitterError('invalid-identifier', `the ${name} ${says}`, { path: `$.${name}` });
  if (typeof value !== 'string') throw refuse('is not a text');
  if (value.trim() === '') throw refuse('is empty');
  if (value.length > longest) throw refuse(`has more than ${longest} characters`);
  if (!value.isWellFormed()) throw refuse('holds half of a surrogate pair');
  if (UNSEEN.test(value)) throw refuse('holds control characters');
  return value;
}

/** The same for a subject, which stays visible at `none` and so is never a text (AEP-0001 §12). */
export function subjectIdentifier(value: unknown): string {
  const subject = identifier('subject', value, MAX_SUBJECT_LENGTH);
  if (subject.split(/\s+/, MAX_SUBJECT_WORDS + 1).length > MAX_SUBJECT_WORDS) {
    throw new EmitterError('invalid-identifier', 'the subject reads as a text, it names what was acted upon', { path: '$.subject' });
  }
  return subject;
}
