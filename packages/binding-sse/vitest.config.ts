import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'binding-sse', setupFiles: ['../../scripts/vitest-setup.mjs'], include: ['test/**/*.test.ts'] } });
