import { describe, expect, it } from 'vitest';

import { AEP_VERSION, classify, isSupportedVersion, SUPPORTED_VERSIONS } from '../src/index.js';

describe('classify', () => {
  it.each([
    ['event', { aep: '0.1' }],
    ['event', { aep: '0.1', type: 7 }],
    ['other-minor', { aep: '0.2' }],
    ['other-minor', { aep: '0.0' }],
    ['other-minor', { aep: '0.10' }],
    ['other-major', { aep: '1.0' }],
    ['other-major', { aep: '12.34' }],
    ['not-an-event', {}],
    ['not-an-event', { aep: 0.1 }],
    ['not-an-event', { aep: null }],
    ['not-an-event', { aep: '' }],
    ['not-an-event', { aep: '0.1.0' }],
    ['not-an-event', { aep: '00.1' }],
    ['not-an-event', { aep: '0.01' }],
    ['not-an-event', { aep: '0.1\n' }],
    ['not-an-event', { aep: 'v0.1' }],
    ['not-an-event', { aep_version: '0.1' }],
    ['not-an-event', Object.create({ aep: '0.1' })],
    ['not-an-event', [{ aep: '0.1' }]],
    ['not-an-event', null],
    ['not-an-event', '0.1'],
    ['not-an-event', undefined],
  ] as const)('is %s for %j', (kind, value) => {
    expect(classify(value)).toBe(kind);
  });
});

describe('versions', () => {
  it('are 0.1 and nothing else', () => {
    expect(AEP_VERSION).toBe('0.1');
    expect(SUPPORTED_VERSIONS).toEqual(['0.1']);
    expect(isSupportedVersion('0.1')).toBe(true);
    for (const text of ['0.2', '0', '1', '', ' 0.1', '0.1.0', 0.1, undefined, null]) expect(isSupportedVersion(text)).toBe(false);
  });
});
