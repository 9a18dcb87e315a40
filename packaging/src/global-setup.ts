import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { TestProject } from 'vitest/node';

import { buildLab } from './lab.js';

declare module 'vitest' {
  interface ProvidedContext {
    lab: string;
  }
}

/** Packs and installs once for all tests of this folder. */
export async function setup(project: TestProject): Promise<() => void> {
  const lab = realpathSync(mkdtempSync(join(tmpdir(), 'aepkit-lab-')));
  const remove = (): void => rmSync(lab, { recursive: true, force: true, maxRetries: 5 });
  try {
    await buildLab(lab);
  } catch (error) {
    remove();
    throw error;
  }
  project.provide('lab', lab);
  return remove;
}
