import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { describe, expect, inject, it } from 'vitest';

import { bundleForBrowser } from '../src/bundle.js';
import { findChromium, openChromium } from '../src/chromium.js';
import { projectFolder } from '../src/lab.js';
import { plainEnvironment } from '../src/nodes.js';
import { openPageSite, type PageProgram } from '../src/page-site.js';
import { tryOn, type Tried } from '../src/try.js';
import { type Published, specifier } from '../src/workspace.js';

const lab = inject('lab');
const inBrowsers = inject('packages').filter(({ browserEntries }) => browserEntries.length > 0);
const chromium = findChromium();

/** Starts what a page of this package talks to, if it has something of the kind. */
async function serverFor(each: Published, origin: string): Promise<{ context: object; stop: () => void }> {
  const folder = projectFolder(lab, each);
  if (!existsSync(join(folder, 'serve.js'))) return { context: {}, stop: () => undefined };
  const child = spawn(process.execPath, ['serve.js', origin], { cwd: folder, env: plainEnvironment(process.execPath, folder), stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const [line] = (await Promise.race([once(lines, 'line'), once(child, 'exit').then(([code]) => Promise.reject(new Error(`serve.js of ${each.name} ended with ${String(code)}`)))])) as [string];
  return { context: JSON.parse(line) as object, stop: () => child.stdin.end() };
}

/** What each package gives in a page; all in one browser. */
async function inChromium(path: string): Promise<ReadonlyMap<string, { value?: unknown; error?: string; node: Tried }>> {
  const site = await openPageSite();
  const servers = await Promise.all(inBrowsers.map((each) => serverFor(each, site.origin)));
  try {
    const programs: PageProgram[] = await Promise.all(
      inBrowsers.map(async (each, index) => ({
        name: each.short,
        // What cannot be bundled fails in its own page.
        code: await bundleForBrowser(join(projectFolder(lab, each), 'main.browser.js')).catch((error: unknown) => `throw new Error(${JSON.stringify(String(error))});`),
        context: servers[index]?.context ?? {},
      })),
    );
    site.offer(programs);
    const browser = openChromium(path, site.url);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(new Error('the browser gave no results within 120 s')), 120_000)));
    try {
      const early = browser.ended.then((reason) => Promise.reject(new Error(reason)));
      const results = await Promise.race([site.results, early, late]);
      const answers = new Map<string, { value?: unknown; error?: string; node: Tried }>();
      for (const [index, each] of inBrowsers.entries()) {
        const node = await tryOn(process.execPath, lab, each, 'run.browser.js', servers[index]?.context);
        answers.set(each.name, { ...results.get(each.short), node });
      }
      return answers;
    } finally {
      clearTimeout(timer);
      await browser.close();
    }
  } finally {
    for (const { stop } of servers) stop();
    site.close();
  }
}

describe('in headless Chromium', () => {
  if (chromium === undefined) {
    it.skip('there is no Chromium on this machine (install one, or set AEPKIT_CHROMIUM)');
    return;
  }
  let answers: ReturnType<typeof inChromium> | undefined;

  it.each(inBrowsers)('$name gives what it gives on Node', async (each) => {
    answers ??= inChromium(chromium);
    const { value, error, node } = (await answers).get(each.name) ?? {};
    expect(error).toBeUndefined();
    const tried = value as Tried;
    expect(Object.keys(tried.entries)).toEqual(each.browserEntries.map((entry) => specifier(each.name, entry)));
    expect(tried).toEqual(node);
    if (tried.expected !== undefined) expect(tried.result).toEqual(tried.expected);
  });
});
