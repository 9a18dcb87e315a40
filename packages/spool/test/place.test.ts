import { describe, expect, it } from 'vitest';

import { spoolRoot, targetName } from '../src/place.js';

describe('the folder of spools', () => {
  it.each([
    ['linux', {}, '/home/me/.local/state/aepkit/spool'],
    ['linux', { XDG_STATE_HOME: '/state' }, '/state/aepkit/spool'],
    ['linux', { XDG_STATE_HOME: 'relative' }, '/home/me/.local/state/aepkit/spool'],
    ['darwin', {}, '/home/me/Library/Application Support/aepkit/spool'],
    ['linux', { AEP_SPOOL: '/mine' }, '/mine'],
    ['linux', { AEP_SPOOL: '' }, '/home/me/.local/state/aepkit/spool'],
    ['linux', { AEP_SPOOL: 'off' }, undefined],
  ] as const)('on %s with %j is %s', (platform, env, folder) => {
    expect(spoolRoot({ platform, env, home: '/home/me' })).toBe(folder);
  });
});

describe('the name of a target', () => {
  it.each([
    ['http://127.0.0.1:8787', 'local-8787'],
    ['http://localhost:8787/', 'local-8787'],
    ['https://[::1]:8787//', 'local-8787'],
    ['http://127.0.0.1', 'local-80'],
    ['http://127.0.0.1:8787/a/b/', 'local-8787_2fa_2fb'],
    ['https://me:secret@events.example/x_y?access_token=1', 'https-events.example-443_2fx_5fy'],
    ['http://events.example:81', 'http-events.example-81'],
    ['https://[2001:db8::1]/', 'https-_5b2001_3adb8_3a_3a1_5d-443'],
    ['http://127.0.0.1.example/', 'http-127.0.0.1.example-80'],
  ])('%s is %s', (url, name) => {
    expect(targetName(new URL(url))).toBe(name);
  });
});

it('gives long URLs that differ at their end names that differ, and that a file system takes', () => {
  const long = `https://example.com/${'a'.repeat(500)}`;
  const names = ['1', '2'].map((end) => targetName(new URL(long + end)));
  expect(new Set(names).size).toBe(2);
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9._-]{240}$/);
});
