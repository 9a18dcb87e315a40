import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'adapter-codex', isolate: false, setupFiles: ['../../scripts/vitest-setup.mjs'], include: ['test/**/*.test.ts'] } });
