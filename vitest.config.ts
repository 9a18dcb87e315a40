import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: ['packages/*/vitest.config.ts', 'apps/*/vitest.config.ts', 'conformance/vitest.config.ts', 'packaging/vitest.config.ts', 'bench/vitest.config.mjs'],
    // Many tests wait for processes: one at a time leaves a small machine idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
});
