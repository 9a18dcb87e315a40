import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'collector', setupFiles: ['../../scripts/vitest-setup.mjs'], testTimeout: 60_000, hookTimeout: 120_000, include: ['test/**/*.test.ts'] } });
