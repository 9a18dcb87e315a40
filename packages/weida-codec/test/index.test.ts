import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import * as weida from '../src/index.js';
import { readPieces } from './support.js';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

describe('the package', () => {
  it('exports this', () => {
    expect(Object.keys(weida).sort()).toEqual([
      'ALPN', 'APPLICATION_CODE', 'APPLICATION_LEVEL_FLOOR', 'BACKPRESSURE', 'Credit', 'Cursor', 'DEDUPLICATION', 'DEFAULT_BROKER_LIMITS', 'DEFAULT_CONNECTION_LIMITS', 'DEFAULT_MAX_HEADER_BYTES',
      'DEFAULT_RUNTIME_LIMITS', 'DELIVERY', 'DedupWindow', 'ERROR_CODE', 'FRAME_KINDS', 'FanOutBuffer', 'FrameReader', 'GROUP_TOKEN_BYTES', 'HelloGate', 'LEVEL', 'LocalPreambleReader', 'MAX_UINT',
      'MESSAGE_OVERHEAD_BYTES', 'NO_REPLY', 'ORDERING', 'PipeReader', 'QueueAccount', 'ReorderBuffer', 'Reports', 'SequenceCounter', 'SequenceTracker', 'StreamGuard', 'SubscriptionTable', 'TopicFilter',
      'TopicFilterIndex', 'WIRE_VERSION', 'WeidaEncodeError', 'WeidaError', 'belongsToGroup', 'beyondCore', 'decodeFrame', 'decodeHeader', 'dispatch', 'encodeFrame', 'encodeHeader', 'encodeLocalPreamble',
      'encodePipeChunk', 'encodeRecord', 'exchangeOutcome', 'guaranteeIssue', 'headerMemoryBytes', 'hello', 'isHeaderOnly', 'isUint', 'mayBeDuplicate', 'negotiate', 'readFrame', 'traceContext',
      'transferOutcome',
    ]);
  });

  it('needs no other package', () => {
    const manifest = JSON.parse(read('../package.json')) as Record<string, unknown>;
    expect(Object.keys(manifest.exports as object)).toEqual(['.', './package.json']);
    for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies']) expect(manifest[kind]).toBeUndefined();
  });

  it('speaks version 0 over the token weida/0 [W-001, W-007]', () => {
    expect([weida.WIRE_VERSION, weida.ALPN, weida.MAX_UINT, weida.APPLICATION_LEVEL_FLOOR]).toEqual([0, 'weida/0', 2n ** 64n - 1n, 16]);
  });

  it('has these error codes, each with a sentence in its source and in the README', () => {
    const codes = [
      'bad-magic', 'unknown-kind', 'header-too-long', 'truncated-preamble', 'truncated-header', 'truncated-record', 'malformed', 'not-a-map', 'indefinite-length', 'tag', 'half-float', 'simple-value',
      'invalid-utf8', 'too-deep', 'key-type', 'duplicate-key', 'key-order', 'trailing-bytes', 'missing-key', 'wrong-type', 'too-long', 'too-many-items', 'producer-length', 'undefined-value', 'report-pairing',
      'report-empty', 'report-order', 'guarantee-combination', 'requires-more-than-offered', 'filter-wildcard', 'filter-rest', 'frame-not-allowed', 'missing-endpoint', 'local-preamble', 'pipe-chunk',
    ] satisfies weida.WeidaErrorCode[];
    const encodeCodes = ['invalid-field', 'too-long', 'forbidden-combination'] satisfies weida.WeidaEncodeErrorCode[];
    const source = read('../src/errors.ts');
    const union = (name: string): string[] => [...(new RegExp(`export type ${name} =([^;]+);`).exec(source)?.[1] ?? '').matchAll(/'([\w-]+)'/g)].map(([, code]) => code!);
    expect(union('WeidaErrorCode')).toEqual(codes);
    expect(union('WeidaEncodeErrorCode')).toEqual(encodeCodes);
    for (const code of [...codes, ...encodeCodes]) {
      expect(source).toMatch(new RegExp(`^ \\* - .*\`${code}\``, 'm'));
      expect(read('../README.md')).toContain(`\`${code}\``);
    }
  });

  it('hands out tables that cannot be changed', () => {
    for (const table of [weida.FRAME_KINDS, weida.DEFAULT_CONNECTION_LIMITS, weida.DEFAULT_RUNTIME_LIMITS, weida.DEFAULT_BROKER_LIMITS, weida.APPLICATION_CODE, weida.ERROR_CODE, weida.LEVEL, weida.ORDERING, weida.DELIVERY, weida.DEDUPLICATION, weida.BACKPRESSURE, weida.NO_REPLY]) {
      expect(Object.isFrozen(table)).toBe(true);
    }
  });
});

describe('the limits', () => {
  it('of a connection default to these [W-069, W-118, W-403, W-404, W-405, W-406, W-411]', () => {
    expect(weida.DEFAULT_MAX_HEADER_BYTES).toBe(16_384);
    expect(weida.DEFAULT_CONNECTION_LIMITS).toEqual({
      maxHeaderBytes: 16_384,
      maxConcurrentUniStreams: 2048,
      maxConcurrentBidiStreams: 1024,
      streamReceiveWindowBytes: 1024 ** 2,
      connectionReceiveWindowBytes: 16 * 1024 ** 2,
      keepAliveMs: 10_000,
      idleTimeoutMs: 30_000,
      helloTimeoutMs: 10_000,
      maxSubscriptions: 256,
      subscriberBufferBytes: 8 * 1024 ** 2,
      maxSequenceScopes: 1024,
      maxReorderHold: 256,
      maxDedupEntries: 4096,
      maxLocalStreams: 255,
      maxParkedReverse: 8,
    });
  });

  it('of a process and of a broker default to these [W-421]', () => {
    expect(weida.DEFAULT_RUNTIME_LIMITS).toEqual({ maxConnections: 1024, maxConnectionsPerPeer: 64, endpointQueue: 256, maxResolvedAddresses: 8, connectAttemptTimeoutMs: 250, shutdownTimeoutMs: 1000 });
    expect(weida.DEFAULT_BROKER_LIMITS).toEqual({ queueBytes: 8 * 1024 ** 2, maxQueues: 64, maxUnsettled: 256 });
  });

  it('keep the headers of a hostile connection within 48 MiB [W-422]', () => {
    expect(weida.headerMemoryBytes()).toBe(48 * 1024 ** 2);
    const asked: number[] = [];
    // A stream that announces a full header and sends one octet of it.
    for (let i = 0; i < 3072; i++) readPieces([Uint8Array.of(0x57, 1, 0x80, 0, 0x40, 0, 0xa1)], { fin: false, allocate: (length) => (asked.push(length), new Uint8Array(1)) });
    expect(asked.reduce((sum, length) => sum + length, 0)).toBe(weida.headerMemoryBytes());
  });

  it('are positive integers or Infinity where they are options', () => {
    for (const bad of [0, -1, 1.5, NaN, '5' as unknown as number]) {
      for (const make of [
        () => new weida.Credit({ maxUnsettled: bad }),
        () => new weida.SubscriptionTable({ maxSubscriptions: bad }),
        () => new weida.FanOutBuffer({ subscriberBufferBytes: bad }),
        () => new weida.QueueAccount({ queueBytes: bad }),
        () => new weida.ReorderBuffer({ maxHold: bad }),
        () => new weida.ReorderBuffer({ maxScopes: bad }),
        () => new weida.DedupWindow({ windowMs: 1, maxEntries: bad }),
      ]) {
        expect(make).toThrow(RangeError);
      }
    }
    expect(new weida.FanOutBuffer({ subscriberBufferBytes: Infinity }).offer(1e15)).toBe('queued');
    expect(new weida.QueueAccount({ queueBytes: Infinity }).admit({ payloadBytes: 1e15 })).toBe(true);
  });
});
