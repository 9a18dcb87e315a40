import { readFileSync } from 'node:fs';

import { expect } from 'vitest';

// Property tests draw the same cases in every run, so that a change is judged by what it changes. AEPKIT_SEED names other
// cases: a number, or `random` to look for new ones; fast-check prints the seed of a failure either way.
const named = process.env.AEPKIT_SEED ?? '20261130';
const file = expect.getState().testPath;
if (named !== 'random' && file !== undefined && readFileSync(file, 'utf8').includes("from 'fast-check'")) {
  const seed = Number(named);
  if (!Number.isSafeInteger(seed)) throw new TypeError(`AEPKIT_SEED is neither an integer nor 'random': ${named}`);
  const { default: fc } = await import('fast-check');
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
}
