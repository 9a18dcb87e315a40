import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'binding-ws', setupFiles: ['../../scripts/vitest-setup.mjs'], include: ['test/**/*.test.ts'] } });
