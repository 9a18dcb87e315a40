import { describe, expect, it } from 'vitest';
import { findEdits, type Settings } from '../src/find-edits.js';
import { homeList } from '../src/find-homes.js';
import { nameForms } from '../src/find-names.js';
import { indexTokens } from '../src/find-tokens.js';
import { createRedactor, DEFAULT_LOOKAHEAD, redactionRules } from '../src/index.js';
import { TOKEN_ROWS } from '../src/token-row.js';
import { FRAGMENTS } from './fragments.js';

const settings: Settings = { tokens: indexTokens(TOKEN_ROWS), names: nameForms(['aaaa', 'abab', 'NAME!x']), homes: homeList(['/root']), pii: true, ahead: DEFAULT_LOOKAHEAD };
/** What rules start on, and what keeps them going. */
const FEEDS: readonly string[] = [
  ...FRAGMENTS,
  ...redactionRules.flatMap((rule) => rule.finds.map(([text]) => text)),
  ...redactionRules.flatMap((rule) => rule.leaves),
  'a', '1', 'A', '=', '-', '_', '1-', '1.1.', '1 1 ', 'a.', 'a@', 'a@a.', '@a.a', 'x@y.zz', 'passwordpassword', 'password=', 'password="', "password='", 'password=\\"', 'password=(', 'password=[{', 'password =  ', 'token:"a" + ', 'token: x = ', 'secret is ', 'secret for a is ', 'pass=pass=', '--token ', 'Cookie: a=b;', 'Authorization: Digest a="b", ', 'Bearer Bearer ', 'bearer ', 'eyJeyJ', 'eyJ.eyJ.', 'eyJa.b.', 'sk-', 'ghp_', 'sk_live_', 'AKIA', 'ASIA', `${'q7Gw2ZtK9v'.repeat(4)} `, '-----BEGIN A-----', '-----END A-----', '-----BEGIN ', 'BEGIN', 'END', 'LS0tLS1CRUdJTi',
  'https://', 'https://a:', 'https://a:b/', '://a@', '://a/@', ':thin:', '@tcp(', '%40', '%3A%2F%2F', 'mysql mysql -', 'mysql ', 'curl curl ', 'docker login ', 'sshpass -p', ' -u', ' -u a:', 'htpasswd -b ', '/home/', '/home/a', 'C:\\Users\\', '/mnt/c/Users/a ', '+1 ', '+1', '(415) ', '0 1', 'tel ', 'Q~', '1Q~', 'AZDO', ':AA', '.atlasv1.', 'hooks.slack.com/services/', '?sig=', '&X-Amz-Signature=', 'login a password ', 'name="password" value=', 'password,', 'password\n', 'password|\n ', 'secret: |\n x\n', '\\', '\\\\"', '"\\', '&quot;', '%22', '[REDACTED:secret]', '[REDACTED:', '\u001b[1;', '\\u0022', 'PuTTY-User-Key-File-', 'Private-Lines:', '\n', '\r\n', '\u3000', '\ud800', 'ab', 'aaab',
];

const work = (text: string): number => findEdits(text, settings, true).work + text.length;

describe('the work of redaction', () => {
  it('doubles at most with the length of the text, whatever is repeated, and stays within a bound for each character', () => {
    for (const feed of FEEDS) {
      if (feed === '') continue;
      const text = feed.repeat(Math.ceil(5000 / feed.length));
      const once = work(text);
      const twice = work(text + text);
      expect(twice / once, JSON.stringify(feed.slice(0, 40))).toBeLessThan(2.6);
      expect(twice / text.length, JSON.stringify(feed.slice(0, 40))).toBeLessThan(1200);
    }
  }, 30_000);

  it('takes processor time in proportion to the text, for what costs most', () => {
    const redactor = createRedactor({ names: ['aaaa'] });
    const time = (text: string): number => {
      let best = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 3; round += 1) {
        const before = process.cpuUsage();
        redactor.text(text);
        const { user, system } = process.cpuUsage(before);
        best = Math.min(best, user + system);
      }
      return best;
    };
    for (const feed of ['a', '1-', 'a@', 'eyJ', 'password', 'password="', 'password=(', '-----BEGIN A-----', 'mysql ', '://a@', '+1 ', '"\\']) {
      const text = feed.repeat(Math.ceil(8000 / feed.length));
      // Quadratic would be sixteen times.
      expect(time(text.repeat(4)), feed).toBeLessThan(10 * time(text) + 20_000);
    }
  }, 30_000);
});

describe('hostile texts', () => {
  it('make no rule throw', () => {
    const redactor = createRedactor({ names: ['NAME!x'] });
    for (const feed of FEEDS) {
      for (const text of [feed, feed.slice(0, -1), feed.slice(1), `${feed}\0`, `\0${feed}`, `${feed}${feed}`]) expect(typeof redactor.text(text)).toBe('string');
    }
  });

  it('are not changed by members of Object.prototype', () => {
    Object.defineProperty(Object.prototype, 'password', { value: 'x', configurable: true, enumerable: true, writable: true });
    try {
      expect(createRedactor().value({ a: 'token=x' })).toEqual({ a: 'token=[REDACTED:secret]' });
      expect(createRedactor().text('constructor: toString')).toBe('constructor: toString');
    } finally {
      Reflect.deleteProperty(Object.prototype, 'password');
    }
  });

  it('of a megabyte in one line are taken in', () => {
    const text = `{"a":"${'x'.repeat(1_000_000)}","token":"hunter2"}`;
    expect(createRedactor().text(text)).toBe(text.replace('hunter2', '[REDACTED:secret]'));
  });
});
