import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'testkit', setupFiles: ['../../scripts/vitest-setup.mjs'], testTimeout: 20_000, include: ['test/**/*.test.ts'] } });
