import { defineConfig } from 'vitest/config';

// Tests open real files and start programs; on a busy machine that takes its time.
export default defineConfig({ test: { name: 'history', setupFiles: ['../../scripts/vitest-setup.mjs'], include: ['test/**/*.test.ts'], testTimeout: 120_000 } });
