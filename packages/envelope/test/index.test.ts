import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import * as envelope from '../src/index.js';

describe('the package', () => {
  it('exports this', () => {
    expect(Object.keys(envelope).sort()).toEqual([
      'AEP_VERSION', 'CAPTURES', 'CATEGORIES', 'CORE_ATTRIBUTES', 'DEFAULT_CAPTURE', 'DEFAULT_EPOCH', 'DEFAULT_MAX_BYTES', 'DEFAULT_MAX_DEPTH', 'DEFAULT_SEVERITY', 'ENVELOPE_ERROR_CODES', 'EnvelopeError',
      'SEVERITIES', 'SUPPORTED_VERSIONS', 'canonicalJson', 'captureOf', 'captureRank', 'checkExtensions', 'classify', 'compareCapture', 'comparePositions', 'compareSeverity', 'createId', 'createIdFactory',
      'decodeUtf8', 'dedupeKey', 'digest', 'epochOf', 'eventSchema', 'headOf', 'isAgentScoped', 'isCommand', 'isEvent', 'isEventType', 'isExtensionName', 'isForeignEmitter', 'isRfc3339', 'isSupportedVersion', 'isVendorType',
      'parseEvent', 'parseJson', 'positionOf', 'sessionKey', 'sessionView', 'severityOf', 'severityRank', 'sourceUri', 'validateEvent', 'wireEvent',
    ]);
  });

  it('has these defaults', () => {
    expect([envelope.DEFAULT_CAPTURE, envelope.DEFAULT_EPOCH, envelope.DEFAULT_MAX_BYTES, envelope.DEFAULT_MAX_DEPTH, envelope.DEFAULT_SEVERITY]).toEqual(['metadata', 0, 1_048_576, 64, 'info']);
  });

  it('has one entry, and runs without any other package of ours [E-117]', () => {
    const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as Record<string, Record<string, unknown>>;
    expect(Object.keys(manifest.exports ?? {})).toEqual(['.', './package.json']);
    expect(manifest.dependencies).toEqual({ '@noble/hashes': '2.4.0', canonicalize: '5.1.0', ulid: '3.0.2' });
    expect(manifest.peerDependencies).toBeUndefined();
    expect(manifest.optionalDependencies).toBeUndefined();
  });

  it('hands out lists that cannot be changed', () => {
    for (const list of [envelope.SEVERITIES, envelope.CAPTURES, envelope.CATEGORIES, envelope.CORE_ATTRIBUTES, envelope.SUPPORTED_VERSIONS, envelope.ENVELOPE_ERROR_CODES]) {
      expect(Object.isFrozen(list)).toBe(true);
    }
  });
});
