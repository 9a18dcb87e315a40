import fc from 'fast-check';

const body = 'q7Gw2ZtK9vXb4LmR1sYc8PnH5dJf3AeU6iVoT0';
/** Pieces out of which rules make something, and pieces that get in their way. */
export const FRAGMENTS: readonly string[] = [
  'password', 'token', 'secret', 'api_key', 'Authorization', 'Cookie', 'pass', 'pwd', 'auth', '_KEY', 'jwt', 'identified by', '=', ':', ': ', ' = ', '==', '=> ', '"', "'", '`', '\\"', '\\', '\\n', '\n', '\r\n', ' ', '  ', '\t', ',', ';', '&', '{', '}', '[', ']', '(', ')', '<', '>',
  '/', 'a', 'B', '7', 'x=1', 'Basic ', 'Bearer ', 'bearer ', 'Digest ', '-----BEGIN RSA PRIVATE KEY-----', '-----END RSA PRIVATE KEY-----', body, ['AK', 'IAQ7GW2ZTK9VXB4LMR'].join(''), `${body}q7`, ['gh', 'p_', body.slice(0, 36)].join(''), 's' + 'k-', ['s', 'k-', body.slice(0, 24)].join(''),
  'eyJhbGci', '.', 'eyJ', 'https://', 'user:', 'pw@', 'host/', '/home/', 'alice', '/Users/', 'C:\\Users\\', 'bob', '@', 'example.com', '+1 415 555 2671', '415-555-2671', '(', '2671', '%3D', '%22', '%40', '[REDACTED:secret]', '[REDACTED:pii]', '~', '--password ', '-u ', 'mysql -p',
  'name: DB_PASSWORD\n  value: ', '|\n  ', ' is ', 'hunter2', 'NAME!x', 'multi\nline', '_', '-', '\u{1F600}', '\ud800', 'é', 'login a ', '<password>', '</password>', 'value=', 'glpat-', 'xoxb-', 'SG.', '$', '#', '?', '?sig=', 'PuTTY-User-Key-File-', 'Private-Lines: 1\n',
];

export function fragments(maxLength: number): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...FRAGMENTS), { minLength: 1, maxLength }).map((parts) => parts.join(''));
}

/** Texts with lines far longer than rules look ahead. */
export const longText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fragments(20),
      fc.tuple(fc.constantFrom(...FRAGMENTS), fc.integer({ min: 1, max: 400 })).map(([part, count]) => part.repeat(count)),
      fc.integer({ min: 1, max: 60 }).map((count) => body.repeat(count)),
      fc.integer({ min: 1, max: 60 }).map((count) => 'lorem ipsum dolor '.repeat(count)),
    ),
    { minLength: 4, maxLength: 12 },
  )
  .map((parts) => parts.join(''));
