import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import { createOwnerToken, readOwnerToken } from '@aepkit/endpoint/owner-token';
import { tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { keepHoldKeys } from '../src/hold-keys.js';
import { HOLD_HEADER, holdKeyFile, holdProof, MAX_HELD_BYTES, provenPrint } from '../src/hold-proof.js';

const [KEY, CALL, PRINT] = ['k'.repeat(43), '01K00000000000000000000001', '{"decision":"allow","é":"\u{1f600}"}'];
const answer = { held: 'answered', print: PRINT, proof: holdProof(KEY, CALL, PRINT) };

describe('the proof of an answer', () => {
  it('lets print what its collector said to this call', () => {
    expect(provenPrint(JSON.parse(JSON.stringify(answer)), KEY, CALL)).toBe(PRINT);
  });

  it.each([
    ['another text', { ...answer, print: `${PRINT} ` }, KEY, CALL],
    ['another key', answer, 'x'.repeat(43), CALL],
    ['another call', answer, KEY, '01K00000000000000000000002'],
    ['a line moved from the text to the call', { ...answer, print: PRINT.slice(1) }, KEY, `${CALL}\n{`],
    ['no proof', { held: 'answered', print: PRINT }, KEY, CALL],
    ['an empty proof', { ...answer, proof: '' }, KEY, CALL],
    ['a proof cut off', { ...answer, proof: answer.proof.slice(0, -1) }, KEY, CALL],
    ['no text', { held: 'answered', proof: answer.proof }, KEY, CALL],
    ['an answer that is none', { ...answer, held: 'expired' }, KEY, CALL],
    ['nothing', null, KEY, CALL],
    ['a list', [answer], KEY, CALL],
    ['a word', 'answered', KEY, CALL],
  ])('lets nothing print for %s', (_, given, key, call) => {
    expect(provenPrint(given, key, call)).toBeUndefined();
  });
});

describe('the key', () => {
  it('lies beside the spools, one for each name of a collector, for its owner alone, while the collector runs', async () => {
    await using dir = await tempDir();
    const spools = ['local-8787', 'https-box.example-443'].map((name) => join(dir.path, 'spool', 'hooks', name));
    const key = createOwnerToken();
    const kept = await keepHoldKeys({ spools, key, url: 'http://127.0.0.1:8787' });
    for (const spool of spools) {
      const file = holdKeyFile(spool);
      expect((await readOwnerToken(file))?.token).toBe(key);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect((await stat(join(file, '..'))).mode & 0o777).toBe(0o700);
    }
    await kept.remove();
    expect(await readOwnerToken(holdKeyFile(spools[0] ?? ''))).toBeUndefined();
  });

  it('has these places and bounds', () => {
    expect([holdKeyFile('/r/hooks/local-1'), HOLD_HEADER, MAX_HELD_BYTES]).toEqual(['/r/hold-keys/local-1', 'aep-hold', 1_048_576]);
  });
});
