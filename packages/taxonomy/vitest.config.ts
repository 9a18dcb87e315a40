import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'taxonomy', setupFiles: ['../../scripts/vitest-setup.mjs'], include: ['test/**/*.test.ts'], testTimeout: 60_000 } });
