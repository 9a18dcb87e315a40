import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const ELSEWHERE = ['/Applications/Chromium.app/Contents/MacOS/Chromium', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-extensions',
];

function runs(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The browser of this machine: `AEPKIT_CHROMIUM`, or what is installed. */
export function findChromium(): string | undefined {
  const named = process.env.AEPKIT_CHROMIUM;
  if (named !== undefined && named !== '') return runs(named) ? named : undefined;
  const folders = (process.env.PATH ?? '').split(delimiter);
  return [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), ...ELSEWHERE].find(runs);
}

/** An open browser, and what it complained of. */
export interface OpenBrowser {
  /** Settles when the browser ends by itself. */
  readonly ended: Promise<string>;
  close(): Promise<void>;
}

/** Opens a page in a browser of its own, with a profile of its own. */
export function openChromium(path: string, url: string): OpenBrowser {
  const profile = mkdtempSync(join(tmpdir(), 'aepkit-chromium-'));
  // A pipe keeps it open: without one, a headless browser with nothing to print may leave at once.
  const child = spawn(path, [...FLAGS, '--remote-debugging-pipe', `--user-data-dir=${profile}`, url], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    env: { ...process.env, HOME: profile },
  });
  let complaints = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaints = (complaints + text).slice(-4_000)));
  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code) => resolve(`${path} ended with ${code ?? 'a signal'}\n${complaints}`));
  });
  const close = async (): Promise<void> => {
    // Its helpers are a process group of ours.
    if (child.pid !== undefined && child.exitCode === null) {
      try {
        process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
      } catch {
        // Gone already.
      }
    }
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
  };
  return { ended, close };
}
