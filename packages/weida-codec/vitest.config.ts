import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'weida-codec', setupFiles: ['../../scripts/vitest-setup.mjs'], include: ['test/**/*.test.ts'] } });
