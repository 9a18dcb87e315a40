import { DETECTED } from './rules-of-context.js';
import { TOKENS } from './rules-of-tokens.js';
import type { Rule } from './rule.js';

const SAMPLES: Readonly<Record<string, string>> = {
  a: 'q7Gw2ZtK9vXb4LmR1sYc8PnH5dJf3AeU6iVoT0',
  x: '4f9a1c07e8b25d36fa90bc714de582a3',
  u: 'Q7GW2ZTK9VXB4LMR1SYC8PNH5DJF3AEU6',
  l: 'hqzvmtkwbxjrgnpcydsf',
};

/**
 * Every rule, with what it finds and what it leaves. The examples are the tests of the rules; their tokens are made up, and put together
 * when this module is loaded, so that no scanner takes the file for a leak.
 */
export const redactionRules: readonly Rule[] = [...TOKENS, ...DETECTED].map((rule) => ({
  ...rule,
  finds: rule.finds.map(([text, redacted]) => [assemble(text), assemble(redacted)] as const),
  leaves: rule.leaves.map(assemble),
}));

/** `{a40}` stands for 40 characters of a kind, `·` for nothing. */
function assemble(text: string): string {
  return text.replaceAll('·', '').replace(/\{([axul])(\d{1,3})\}/g, (_, kind: string, count: string) => {
    const sample = SAMPLES[kind] ?? '';
    return sample.repeat(Math.ceil(Number(count) / sample.length)).slice(0, Number(count));
  });
}
