import { describe, expect, it } from 'vitest';
import { createRedactor } from '../src/index.js';

const R = '[REDACTED:secret]';
const P = '[REDACTED:pii]';
const redactor = createRedactor();
const text = (input: string): string => redactor.text(input);
/** Tokens are put together here, so that no scanner of hosting sites takes this file for a leak. */
const token = (...parts: string[]): string => parts.join('');
const KEY_ID = token('AK', 'IA', 'Q7GW2ZTK9VXB4LMR');

describe('the floor of AEP-0003 §9.4', () => {
  it('goes through secrets, configured values, home paths and personal data in this order [B-193]', () => {
    const ordered = createRedactor({ names: ['/home/alice', 'bob@example.com'] });
    expect(ordered.text('password=carol@example.com')).toBe(`password=${R}`);
    expect(ordered.text('token: /home/carol/x')).toBe(`token: ${R}`);
    expect(ordered.text('in /home/alice/x and /home/carol/x')).toBe(`in ${R}/x and ~/x`);
    expect(ordered.text('bob@example.com, carol@example.com')).toBe(`${R}, ${P}`);
    expect(ordered.text('/home/dave@example.com/x')).toBe('~/x');
  });

  it('takes out PEM blocks of any label [B-194]', () => {
    for (const label of ['RSA PRIVATE KEY', 'PRIVATE KEY', 'EC PRIVATE KEY', 'CERTIFICATE', 'OPENSSH PRIVATE KEY', 'PGP PRIVATE KEY BLOCK']) {
      expect(text(`a\n-----BEGIN ${label}-----\nMIIEpAIBAAKCAQEA\n+/=x\n-----END ${label}-----\nb`)).toBe(`a\n${R}\nb`);
      expect(text(`"-----BEGIN ${label}-----\\nMIIEpAIBAAKCAQEA\\n-----END ${label}-----\\n"`)).toBe(`"${R}\\n"`);
    }
  });

  it('takes out a key that was cut off, and not the prose behind it', () => {
    const line = 'q7Gw2ZtK9vXb4LmR1sYc8PnH5dJf3AeU6iVoT0q7Gw2ZtK9vXb4LmR1sYc8PnH5d';
    expect(text(`-----BEGIN PRIVATE KEY-----\n${line}\n${line}\n... 12 lines hidden`)).toBe(`${R}\n... 12 lines hidden`);
    expect(text(`-----BEGIN PRIVATE KEY-----\n${line}\n${line.slice(0, 5)}`)).toBe(R);
  });

  it('takes out key ids of AWS wherever they stand [B-195]', () => {
    for (const [before, after] of [['', ''], ['x', '.'], ['FOO_', '_BAR'], ['--header=x-key-', ''], ['7', ' '], ['/', '/']]) {
      expect(text(`${before}${KEY_ID}${after}`)).toBe(`${before}${R}${after}`);
    }
    expect(text('AKIAQ7GW2ZTK9VXB4LM')).toBe('AKIAQ7GW2ZTK9VXB4LM');
  });

  it('takes out what follows `Bearer ` [B-196]', () => {
    expect(text('Authorization: Bearer abc.def-ghi')).toBe(`Authorization: Bearer ${R}`);
    expect(text("curl -H 'Authorization: Bearer a' x")).toBe(`curl -H 'Authorization: Bearer ${R}' x`);
    expect(text('Bearer x')).toBe(`Bearer ${R}`);
  });

  it('asks for eight characters behind the word in another spelling [T-227]', () => {
    expect(text('bearer abcdefgh')).toBe(`bearer ${R}`);
    expect(text('BEARER q7Gw2ZtK')).toBe(`BEARER ${R}`);
    expect(text('the bearer of good news')).toBe('the bearer of good news');
    expect(text('bearer abcdefg')).toBe('bearer abcdefg');
  });

  it('takes out the values of key words and keeps the words [B-197]', () => {
    for (const word of ['password', 'passwd', 'secret', 'api_key', 'api-key', 'apikey', 'token']) {
      for (const separator of ['=', ':', ' = ', ' : ', '=\t', ':\n  ']) expect(text(`${word}${separator}v`)).toBe(`${word}${separator}${R}`);
    }
  });

  it('ignores letter case, and takes quoted names, quoted values and values on the next line [T-226]', () => {
    expect(text('DB_PASSWORD=x')).toBe(`DB_PASSWORD=${R}`);
    expect(text('{"Token": "a b \\" c", "n": 1}')).toBe(`{"Token": "${R}", "n": 1}`);
    expect(text("'secret' : 'x'")).toBe(`'secret' : '${R}'`);
    expect(text('Authorization: x')).toBe(`Authorization: ${R}`);
    expect(text('api_key:\n\n   x y')).toBe(`api_key:\n\n   ${R} y`);
  });

  it('takes out whatever the pattern of the specification finds', () => {
    const floor = /(?:password|passwd|secret|api[_-]?key|token)\s*[=:]\s*(\S+)/gi;
    for (const input of ['token::new', 'password = = x', 'secret=a,b', 'token:x)', 'a token: it is', 'api_key=(a', 'passwd: [x', 'secret:{"a":1}', 'token=}', 'password=.']) {
      const output = text(input);
      expect(output).not.toBe(input);
      for (const [, value] of output.matchAll(floor)) expect(value).toMatch(/\[REDACTED:secret\]|^=$/);
    }
  });

  it('takes out what has the shape of a JWT [B-198]', () => {
    const jwt = token('ey', 'JhbGciOiJIUzI1NiJ9.ey', 'JzdWIiOiIxIn0.c2ln');
    expect(text(`see ${jwt}.`)).toBe(`see ${R}.`);
    expect(text('xeyJa.b.c')).toBe(`x${R}`);
    expect(text('eyJhbGciOiJIUzI1NiJ9')).toBe('eyJhbGciOiJIUzI1NiJ9');
  });

  it('takes out bare tokens by their prefix [T-228]', () => {
    const body = 'q7Gw2ZtK9vXb4LmR1sYc8PnH5dJf3AeU6iVoT0';
    for (const prefix of [token('gh', 'p_'), token('git', 'hub_pat_'), token('gl', 'pat-'), token('xo', 'xb-'), token('s', 'k-'), token('AI', 'za')]) {
      expect(text(`use ${prefix}${body}.`)).toBe(`use ${R}.`);
    }
  });

  it('takes out configured values in every form they are written in [B-199]', () => {
    const named = createRedactor({ names: ['pa"ss/w\\o&rd', 'two\nlines', 'abc', ''] });
    for (const form of ['pa"ss/w\\o&rd', 'pa\\"ss/w\\\\o&rd', 'pa\\"ss\\/w\\\\o&rd', 'pa%22ss%2Fw%5Co%26rd', 'pa&quot;ss/w\\o&amp;rd', 'two\nlines', 'two\\nlines', 'two%0Alines']) {
      expect(named.text(`x${form}y`)).toBe(`x${R}y`);
    }
    expect(named.text('abc')).toBe('abc');
    expect(createRedactor({ names: ['aaaa'] }).text('baaaaaab')).toBe(`b${R}b`);
    expect(createRedactor({ names: ['abab'] }).text('xababababy')).toBe(`x${R}y`);
    expect(createRedactor({ names: ['hunter2x', 'hunter2xyz'] }).text('hunter2xyz')).toBe(R);
  });

  it('leaves nothing of a configured value that a secret shares', () => {
    expect(createRedactor({ names: [`left${KEY_ID.slice(0, 6)}`] }).text(`left${KEY_ID}`)).toBe(R);
  });

  it('puts ~ for home folders, at the ends of path segments only [B-200, T-229]', () => {
    const own = createRedactor({ homes: ['/srv/people/al', '/root/'] });
    expect(own.text('/srv/people/al/x /srv/people/alice /root/.ssh /rootfs x/root')).toBe('~/x /srv/people/alice ~/.ssh /rootfs x/root');
    expect(own.text('/srv/people/al.')).toBe('~.');
    expect(text('/home/bob/x and /Users/Eve/y and C:\\Users\\Ann\\z')).toBe('~/x and ~/y and ~\\z');
    expect(text('D:\\\\Users\\\\ann\\\\z, c:/Users/ann, \\/home\\/bob\\/x')).toBe('~\\\\z, ~, ~\\/x');
    expect(text('https://example.com/home/about src/home/x /homes/x')).toBe('https://example.com/home/about src/home/x /homes/x');
  });

  it('takes out e-mail addresses and telephone numbers [B-201]', () => {
    expect(text('<bob@example.com>, +1 415 555 2671; (415) 555-2671')).toBe(`<${P}>, ${P}; ${P}`);
  });

  it('leaves them when told so [B-202]', () => {
    const plain = createRedactor({ pii: false });
    expect(plain.text('bob@example.com +1 415 555 2671 token=x /home/bob')).toBe(`bob@example.com +1 415 555 2671 token=${R} ~`);
  });

  it('takes versions and counts for no telephone numbers, and labels nothing twice [T-231]', () => {
    for (const input of ['1.2.3.4', '10.15.7', '1787412345678', '3074185296', '0.250750683890174', '512 256 1024', '2026-11-30 12:30:00', 'v2.10.3 of 2,000,000']) expect(text(input)).toBe(input);
    expect(text('password=+14155552671')).toBe(`password=${R}`);
  });
});

describe('what was reported elsewhere', () => {
  it('keeps ordinary words and finds glued tokens', () => {
    for (const input of ['risk-adjusted', 'task-level', 'token parameter is required', 'authorType: human', 'com.example.service.v1']) expect(text(input)).toBe(input);
    expect(text(`FOO_${token('s', 'k-')}q7Gw2ZtK9vXb4LmR1sYc8P`)).toBe(`FOO_${R}`);
  });

  it('keeps numbers in serialised JSON', () => {
    const json = '{"at":1787412345678,"ratio":0.250750683890174,"sha":"a94a8fe5ccb19ba61c4c0873d391e987982fbbd3","v":"1.2.3.4","n":3074185296}';
    expect(text(json)).toBe(json);
  });

  it('leaves texts of JSON readable when it takes quoted values out', () => {
    const json = JSON.stringify({ password: 'a "b" \\', n: 1, list: ['x'] });
    expect(JSON.parse(text(json))).toEqual({ password: R, n: 1, list: ['x'] });
    expect(JSON.parse(JSON.parse(text(JSON.stringify(json))) as string)).toEqual({ password: R, n: 1, list: ['x'] });
  });
});

describe('placeholders', () => {
  it('are never looked into', () => {
    for (const input of [R, P, `${R}${R}`, `${R}: foo`, `${R}=foo`, `password=${R}`, `"token":"${R}"`, `Bearer ${R}`, `x@${R}`, `https://u:${R}@h`, `curl -u me:${R}`]) {
      expect(text(input)).toBe(input);
    }
    const named = createRedactor({ names: ['secret', 'REDACTED', '[REDACTED:secret]', 'acted'] });
    expect(named.text(`a ${R} b`)).toBe(`a ${R} b`);
    expect(named.text('my secret')).toBe(`my ${R}`);
  });
});
