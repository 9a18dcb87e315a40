import { describe, expect, it } from 'vitest';

import * as follow from '../src/follow.js';
import * as reader from '../src/reader.js';
import * as writer from '../src/writer.js';

describe('the entries', () => {
  it('export these values and no others', () => {
    expect(Object.keys(reader).toSorted()).toEqual(['DEFAULT_MAX_LINE_BYTES', 'DEFAULT_MAX_VERSIONS', 'JsonlReader', 'LineReader', 'readJsonl']);
    expect(Object.keys(writer).toSorted()).toEqual([
      'AGENT_LOG_NAME',
      'DEFAULT_DIRECTORY_MODE',
      'DEFAULT_FILE_MODE',
      'DEFAULT_MAX_BATCH_BYTES',
      'DEFAULT_MAX_LINE_BYTES',
      'DEFAULT_MAX_OPEN_FILES',
      'DEFAULT_MAX_QUEUED_BYTES',
      'DEFAULT_ROTATE_BYTES',
      'JsonlLog',
      'JsonlOutput',
      'JsonlWriteError',
      'JsonlWriter',
      'LOG_EXTENSION',
      'MAX_NAME_LENGTH',
      'decodeName',
      'encodeName',
      'logPath',
      'nodeFileSystem',
    ]);
    expect(Object.keys(follow).toSorted()).toEqual([
      'DEFAULT_CHUNK_BYTES',
      'DEFAULT_LATE_MS',
      'DEFAULT_MAX_LATE_FILES',
      'DEFAULT_MAX_LINE_BYTES',
      'DEFAULT_MAX_VERSIONS',
      'DEFAULT_POLL_MS',
      'JsonlFollowError',
      'followJsonl',
      'isRotatedName',
      'nodeFileSystem',
    ]);
  });

  it('have these defaults', () => {
    expect({ ...reader, ...writer, ...follow }).toMatchObject({
      DEFAULT_MAX_LINE_BYTES: 1_048_576,
      DEFAULT_MAX_VERSIONS: 16,
      DEFAULT_DIRECTORY_MODE: 0o700,
      DEFAULT_FILE_MODE: 0o600,
      DEFAULT_MAX_BATCH_BYTES: 262_144,
      DEFAULT_MAX_OPEN_FILES: 64,
      DEFAULT_MAX_QUEUED_BYTES: 67_108_864,
      DEFAULT_ROTATE_BYTES: Infinity,
      DEFAULT_CHUNK_BYTES: 65_536,
      DEFAULT_LATE_MS: 10_000,
      DEFAULT_MAX_LATE_FILES: 16,
      DEFAULT_POLL_MS: 1_000,
      MAX_NAME_LENGTH: 160,
      LOG_EXTENSION: '.jsonl',
      AGENT_LOG_NAME: '%agent.jsonl',
    });
  });
});
