import { InvalidArgumentError } from 'commander';

/** A flag whose value is a whole number of at least 1. */
export function positive(text: string): number {
  return wholeNumber(text, 1);
}

/** A flag whose value is a whole number. */
export function whole(text: string): number {
  return wholeNumber(text, 0);
}

function wholeNumber(text: string, least: number): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  if (!(value >= least && Number.isSafeInteger(value))) throw new InvalidArgumentError(`Not a whole number of at least ${least}.`);
  return value;
}
