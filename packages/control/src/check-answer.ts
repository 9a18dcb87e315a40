import type { AepEvent, JsonObject, JsonValue } from '@aepkit/envelope';
import { formOf } from '@aepkit/taxonomy';

import { checkValues } from './check-values.js';
import { matchOption } from './match-option.js';
import { member } from './accepts.js';

/** What an answer comes to. `answer` is what takes effect and what `attention.answered` records (AEP-0002 §5.3). */
export type AnswerVerdict =
  | { readonly type: 'valid'; readonly answer: EffectiveAnswer }
  /** `control.rejected` with reason `invalid`; the request stays open, so that a corrected answer can follow. */
  | { readonly type: 'invalid'; readonly detail: string };

/** An answer that applies to its request. */
export interface EffectiveAnswer {
  /** `id` of an offered option. */
  readonly option?: string;
  /** Free text: the answer, or beside an option the reason. Capture level `redacted`. */
  readonly text?: string;
  /** Answers to the fields of a form; keys that belong to no field are left out. */
  readonly values?: JsonObject;
}

/** Options of {@link checkAnswer}. */
export interface CheckAnswerOptions {
  /**
   * `id` of the option of a permission request that refuses. Text that matches no option then applies it, with the text as
   * its reason. Default: such an answer is invalid (AEP-0008).
   */
  readonly refusing?: string;
}

/**
 * Holds the answer of a `control.attention.respond` against the request that it answers (AEP-0002 §5.2, §5.3; AEP-0006, AEP-0008).
 * For the owner of the request; consumers and relays never rewrite an answer.
 *
 * Text with no option against offered options counts as the option whose id it is, or whose label it alone is, without regard
 * to case and outer space. Other text never permits anything.
 *
 * @param request the `attention.requested`, or its `data`, with the labels and fields that were offered
 * @param answer `data.answer` of the command, whatever a sender has put there
 */
export function checkAnswer(request: Pick<AepEvent, 'data'>, answer: unknown, options: CheckAnswerOptions = {}): AnswerVerdict {
  const option = member(answer, 'option');
  const text = member(answer, 'text');
  const values = member(answer, 'values');
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return invalid('answer: expected an object');
  if (option === undefined && text === undefined && values === undefined) return invalid('answer: has none of option, text and values');
  if (option !== undefined && typeof option !== 'string') return invalid('answer.option: expected a string');
  if (text !== undefined && typeof text !== 'string') return invalid('answer.text: expected a string');

  const { data } = request;
  const kind = member(data, 'kind');
  const offered = listOf(member(data, 'options'));
  if (option !== undefined) {
    if (!offered.some((each) => member(each, 'id') === option)) return invalid('answer.option: not among the offered options');
    return { type: 'valid', answer: { option, ...(text === undefined ? {} : { text }) } };
  }
  if (values !== undefined) {
    if (kind !== 'form') return invalid('answer.values: goes with a form only');
    const checked = checkValues(formOf(member(data, 'fields')), values);
    if (typeof checked === 'string') return invalid(checked);
    return { type: 'valid', answer: { values: checked, ...(text === undefined ? {} : { text }) } };
  }
  const word = text ?? '';
  const matched = matchOption(offered, word);
  // The word was the decision, so it is not repeated as text.
  if (matched !== undefined) return { type: 'valid', answer: { option: matched } };
  if (kind === 'form') return invalid('answer.values: missing, a form is answered by its fields');
  if (kind !== 'permission') return word.trim() === '' ? invalid('answer.text: empty') : { type: 'valid', answer: { text: word } };
  const { refusing } = options;
  if (refusing !== undefined && offered.some((each) => member(each, 'id') === refusing)) {
    return { type: 'valid', answer: { option: refusing, text: word } };
  }
  return invalid('answer.text: is none of the offered options');
}

function invalid(detail: string): AnswerVerdict {
  return { type: 'invalid', detail };
}

function listOf(value: unknown): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}
