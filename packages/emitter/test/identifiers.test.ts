import { describe, expect, it } from 'vitest';

import { identifier, MAX_IDENTIFIER_LENGTH, MAX_SUBJECT_LENGTH, MAX_SUBJECT_WORDS, subjectIdentifier } from '../src/identifiers.js';
import { collect, emitAny, refusal, rejection } from './support.js';

describe('an identifier', () => {
  it.each(['a', 'a/b', '日本', 'a b', '👩‍👩‍👧', '..', 'x'.repeat(MAX_IDENTIFIER_LENGTH)])('may be %j', (value) => {
    expect(identifier('run', value)).toBe(value);
  });

  it.each([
    '', ' ', '\t', 'a\nb', 'a\rb', 'a\u0000b', 'a\u001b[2J', 'a\u007f', 'a\u0085b', 'a\u2028b', 'a\u202eb', 'a\u2066b', '\ufeffa', '\ud83d', 'x'.repeat(MAX_IDENTIFIER_LENGTH + 1), 5, null, {}, ['a'],
    { toString: () => 'a' },
  ])('is not %j', (value) => {
    expect(refusal(() => identifier('run', value))).toBe('invalid-identifier');
  });

  it('is asked of subject, run, step, cause and session, with nothing sent', async () => {
    const { emitter, events } = collect({ epochs: 'clock' });
    const session = await emitter.session();
    for (const name of ['subject', 'run', 'step', 'cause']) {
      for (const value of ['', 'a\nb', '\ud83d', 'x'.repeat(5000), 7]) {
        expect(refusal(() => emitAny(session, 'progress.status', { [name]: value })), name).toBe('invalid-identifier');
      }
    }
    for (const name of ['', 'a\nb', '\ud83d', 'x'.repeat(513)]) expect(await rejection(emitter.session(name))).toBe('invalid-identifier');
    expect(await events()).toEqual([]);
  });
});

describe('a subject', () => {
  it('is an identifier, and never reads as a text [E-014]', async () => {
    const { emitter, events } = collect({ ceiling: 'none' });
    const session = await emitter.session();
    const texts = [
      'please delete all the files in my home folder',
      `${'word '.repeat(MAX_SUBJECT_WORDS)}more`,
      'x'.repeat(MAX_SUBJECT_LENGTH + 1),
      'first line\nsecond line',
    ];
    for (const subject of texts) expect(refusal(() => session.emit('progress.status', { subject }))).toBe('invalid-identifier');
    expect(await events()).toEqual([]);
  });

  it.each(['Bash', 'mcp__server__tool', 'src/My Documents/a file.txt', 'https://example.org/a?b=c', 'x'.repeat(MAX_SUBJECT_LENGTH), 'a b c d e f g h'])('may be %j [E-013]', (subject) => {
    expect(subjectIdentifier(subject)).toBe(subject);
  });

  it('never shows in the message of a refusal', () => {
    try {
      subjectIdentifier('hunter2\n');
      expect.unreachable();
    } catch (error) {
      expect(String(error)).not.toContain('hunter2');
    }
  });
});
