import { parseEvent, sourceUri, wireEvent } from '@aepkit/envelope';
import { tempDir } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { aepIn } from './support.js';

describe('emit', () => {
  it('makes of flags, as a model would give them, the envelope that a program makes [E-108]', async () => {
    await using home = await tempDir();
    const args = ['emit', '--type', 'progress.status', '--session', 's', '--agent', 'a', '--subject', 'build', '--run', 'r', '--severity', 'notice', '--seq', '7', '--epoch', '2', '--data', '{"percent":50}', '--dry-run'];
    const made = parseEvent((await aepIn(home.path).run(args)).stdout).event;
    const { event } = wireEvent({
      aep: '0.1',
      id: made.id,
      type: 'progress.status',
      subject: 'build',
      time: made.time,
      source: sourceUri({ host: 'localhost', agent: 'a', session: 's' }),
      agent: 'a',
      session: 's',
      run: 'r',
      seq: 7,
      epoch: 2,
      severity: 'notice',
      data: { percent: 50 },
    });
    expect(made).toEqual(event);
  });
});
