import { mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { TestProject } from 'vitest/node';

import { buildLab } from './lab.js';
import type { Published } from './workspace.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder in which everything is installed. */
    lab: string;
    /** What was installed, as it was found then. */
    packages: readonly Published[];
  }
}

/** Packs and installs once for all tests of this folder. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const lab = realpathSync(mkdtempSync(join(tmpdir(), 'aepkit-lab-')));
  const remove = (): Promise<void> => rm(lab, { recursive: true, force: true, maxRetries: 5 });
  try {
    project.provide('packages', await buildLab(lab));
  } catch (error) {
    await remove();
    throw error;
  }
  project.provide('lab', lab);
  return remove;
}
