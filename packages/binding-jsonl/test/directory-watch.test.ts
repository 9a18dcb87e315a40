import { writeFileSync } from 'node:fs';

import { tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { nodeWatch } from '../src/directory-watch.js';

describe('nodeWatch', () => {
  it('gives the name of what changes', async () => {
    await using dir = await tempDir();
    const name = await new Promise((resolve, reject) => {
      const stop = nodeWatch(
        dir.path,
        (changed) => {
          stop();
          resolve(changed);
        },
        reject,
      );
      writeFileSync(dir.file('a'), 'x');
    });
    expect(name).toBe('a');
  });

  it('tells when it cannot watch', async () => {
    await using dir = await tempDir();
    const errors: unknown[] = [];
    const stop = nodeWatch(dir.file('none'), () => undefined, (error) => errors.push(error));
    stop();
    expect(errors).toMatchObject([{ code: 'ENOENT' }]);
  });
});
