import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';

// Many tests wait for processes: one file at a time leaves a small machine idle. The variable reaches all projects; `maxWorkers` here would not.
process.env.VITEST_MAX_WORKERS ??= String(Math.max(2, availableParallelism() - 1));

export default defineConfig({
  test: {
    projects: ['packages/*/vitest.config.ts', 'apps/*/vitest.config.ts', 'conformance/vitest.config.ts', 'packaging/vitest.config.ts', 'bench/vitest.config.mjs'],
  },
});
