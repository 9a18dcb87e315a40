import { WORD } from './characters.js';
import type { TextWindow } from './text-window.js';

/** `eyJ… . … . …`, signed or encrypted (AEP-0003 §9.4a), anywhere in the text. */
export function findJwt(window: TextWindow): void {
  const { text } = window;
  for (let at = text.indexOf('eyJ'); at >= 0; at = text.indexOf('eyJ', at + 3)) {
    window.work += 1;
    const header = window.run(at, WORD, 1_000_001);
    const limit = window.limit(at);
    if (header === at + 3 || header >= limit || text[header] !== '.') continue;
    const claims = window.run(header + 1, WORD, 1_000_002);
    if (claims === header + 1) continue;
    if (claims >= at + window.ahead) {
      window.hit('jwt', at, at, claims);
      continue;
    }
    if (text[claims] !== '.') continue;
    let end = window.run(claims + 1, WORD, 1_000_003);
    // Unsigned ones end with the dot; that takes a second part which is JSON as well.
    if (end === claims + 1 && !text.startsWith('eyJ', header + 1)) continue;
    for (let part = 0; part < 2 && text[end] === '.'; part += 1) {
      const next = window.run(end + 1, WORD, 1_000_004 + part);
      if (next === end + 1) break;
      end = next;
    }
    window.hit('jwt', at, at, end);
  }
}
