import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'emitter', setupFiles: ['../../scripts/vitest-setup.mjs'], include: ['test/**/*.test.ts'], testTimeout: 60_000 } });
