import type { JsonValue } from '@aepkit/envelope';

import { member } from './accepts.js';

/**
 * The option that a text names: by its id, otherwise by the label that only one option has; trimmed and without regard to case
 * (AEP-0008). Ids that differ by case alone are named by no text.
 */
export function matchOption(options: readonly JsonValue[], text: string): string | undefined {
  const word = folded(text);
  if (word === '') return undefined;
  const ids = named(options, 'id', word);
  return ids.length > 0 ? only(ids) : only(named(options, 'label', word));
}

/** The ids of the options whose member reads like the word, one per option. */
function named(options: readonly JsonValue[], name: 'id' | 'label', word: string): string[] {
  return options.flatMap((option) => {
    const id = member(option, 'id');
    const value = member(option, name);
    return typeof id === 'string' && typeof value === 'string' && folded(value) === word ? [id] : [];
  });
}

function only(ids: readonly string[]): string | undefined {
  return ids.length === 1 ? ids[0] : undefined;
}

function folded(text: string): string {
  return text.trim().toLowerCase();
}
