import { manualClock } from '@aepkit/testkit';
import { describe, expect, it } from 'vitest';

import { Wake } from '../src/wake.js';

function setup(options: { readonly signal?: AbortSignal; readonly fails?: boolean; readonly pollMs?: number } = {}) {
  const clock = manualClock();
  const watches = new Map<string, (name: string | undefined) => void>();
  const stopped: string[] = [];
  const wake = new Wake({
    pollMs: options.pollMs ?? 1_000,
    timers: clock,
    signal: options.signal,
    watch: (directory, changed, failed) => {
      watches.set(directory, changed);
      if (options.fails === true) failed(new Error('no'));
      return () => void stopped.push(directory);
    },
  });
  const places = (...bases: string[]) => bases.map((base) => ({ directory: '/d', base }));
  return { clock, watches, stopped, wake, places };
}

const alive = async (): Promise<string> => '1';

describe('Wake', () => {
  it('looks at once, then only when something has happened', async () => {
    const { clock, wake } = setup();
    expect(wake.take()).toEqual({ polled: true, beside: true });
    expect(wake.take()).toEqual({ polled: false, beside: false });
    let woken = false;
    const wait = wake.wait().then(() => (woken = true));
    await clock.advance(999);
    expect(woken).toBe(false);
    await clock.advance(1);
    await wait;
    expect(wake.take()).toEqual({ polled: true, beside: true });
    wake.close();
    expect(clock.pending()).toBe(0);
  });

  it('remembers what happens between a look and the wait', async () => {
    const { watches, wake, places } = setup({ pollMs: Infinity });
    await wake.watch(places('a'), alive);
    wake.take();
    watches.get('/d')!('a');
    expect(await wake.wait()).toBe(true);
    expect(wake.take()).toEqual({ polled: false, beside: false });
    watches.get('/d')!('a.1');
    expect(await wake.wait()).toBe(true);
    expect(wake.take()).toEqual({ polled: false, beside: true });
    watches.get('/d')!(undefined);
    expect(await wake.wait()).toBe(true);
    wake.close();
  });

  it('does not wake for other files of a folder', async () => {
    const { watches, wake, places } = setup();
    await wake.watch(places('a', 'b'), alive);
    wake.take();
    for (const name of ['c', 'x.a', '']) watches.get('/d')!(name);
    expect(wake.take()).toEqual({ polled: false, beside: false });
    watches.get('/d')!('b');
    expect(await wake.wait()).toBe(true);
    await wake.watch(places('c'), alive);
    wake.take();
    watches.get('/d')!('c');
    expect(await wake.wait()).toBe(true);
    wake.close();
  });

  it('watches a folder anew when another has taken its name, and lets go of one that is not wanted', async () => {
    const { watches, stopped, wake, places } = setup();
    await wake.watch(places('a'), async () => undefined);
    expect(watches.size).toBe(0);
    await wake.watch(places('a'), async () => '1');
    await wake.watch(places('a'), async () => '1');
    expect(stopped).toEqual([]);
    await wake.watch(places('a'), async () => '2');
    expect(stopped).toEqual(['/d']);
    await wake.watch([], async () => '2');
    expect(stopped).toEqual(['/d', '/d']);
    wake.close();
    expect(stopped).toHaveLength(2);
  });

  it('tells a folder that cannot be watched once', async () => {
    const { wake, places } = setup({ fails: true });
    await wake.watch(places('a'), alive);
    expect(wake.failures()).toMatchObject([{ directory: '/d' }]);
    await wake.watch(places('a'), alive);
    expect(wake.failures()).toEqual([]);
    wake.close();
  });

  it('ends a wait when the signal fires', async () => {
    const control = new AbortController();
    const { wake } = setup({ signal: control.signal });
    wake.take();
    const wait = wake.wait();
    control.abort();
    expect(await wait).toBe(false);
    expect(await wake.wait()).toBe(false);
    wake.close();
  });
});
