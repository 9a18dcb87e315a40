import { writeFile } from 'node:fs/promises';

import { tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { captureOptions, type CaptureSettings, CaptureSettingError } from '../src/capture-options.js';
import { startCollector } from '../src/index.js';

const PLAIN: CaptureSettings = { capture: 'default', categories: [], secretVariables: [], secretFile: undefined, tokenPrefixes: [], homes: [], pii: true };

describe('settings of capture', () => {
  it('leave the ceilings to the adapter where nothing is said [B-185]', () => {
    expect(captureOptions(PLAIN, {})).toMatchObject({ ceiling: undefined, ceilings: {} });
  });

  it('give a ceiling, and those of categories [B-187]', () => {
    expect(captureOptions({ ...PLAIN, capture: 'redacted', categories: ['tool=none', 'x-y=full'] }, {})).toMatchObject({ ceiling: 'redacted', ceilings: { tool: 'none', 'x-y': 'full' } });
  });

  it('take the values of listed variables, of a file, and tokens of one’s own out of texts [B-199]', async () => {
    await using dir = await tempDir();
    const file = `${dir.path}/secrets`;
    await writeFile(file, 'from the file\r\n\nanother one\n');
    const { redactor } = captureOptions({ ...PLAIN, secretVariables: ['DB', 'MISSING'], secretFile: file, tokenPrefixes: ['acme_'] }, { DB: 'the value', OTHER: 'plain text' });
    expect(redactor?.text('the value, from the file, another one, acme_0123456789abcdef0123, plain text')).toBe('[REDACTED:secret], [REDACTED:secret], [REDACTED:secret], [REDACTED:secret], plain text');
  });

  it('switch personal data and name homes [B-200, B-201, B-202]', () => {
    const { redactor } = captureOptions({ ...PLAIN, homes: ['/srv/me'], pii: false }, {});
    expect(redactor?.text('/srv/me/x ada@example.org')).toBe('~/x ada@example.org');
    expect(captureOptions(PLAIN, {}).redactor?.text('ada@example.org')).toBe('[REDACTED:pii]');
  });

  it.each<Partial<CaptureSettings>>([{ capture: 'all' }, { categories: ['tool'] }, { categories: ['tool=all'] }, { categories: ['=none'] }, { secretFile: '/nowhere/at/all' }, { tokenPrefixes: ['x'] }, { homes: ['/x'.repeat(10_000)] }])(
    'that make no sense are refused, without a word of what they hold: %#',
    (settings) => {
      expect(() => captureOptions({ ...PLAIN, ...settings }, {})).toThrow(CaptureSettingError);
    },
  );
});

it('keeps a collector from starting with settings that make no sense', async () => {
  await using dir = await tempDir();
  await expect(startCollector({ port: 0, data: dir.path, 'capture-category': ['tool=all'] })).rejects.toMatchObject({ name: 'EndpointError', code: 'config-unreadable' });
});

it('says which variable with a secret is not set', async () => {
  await using dir = await tempDir();
  const warned: object[] = [];
  const log = { info: () => undefined, debug: () => undefined, error: () => undefined, warn: (facts: object) => void warned.push(facts) };
  const collector = await startCollector({ port: 0, data: dir.path, spool: 'off', 'redact-env': ['AEPKIT_NOT_SET', 'PATH'] }, log);
  await collector.close();
  expect(warned).toEqual([{ variable: 'AEPKIT_NOT_SET' }]);
});
