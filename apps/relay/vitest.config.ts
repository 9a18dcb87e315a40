import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'relay', setupFiles: ['../../scripts/vitest-setup.mjs'], include: ['test/**/*.test.ts'] } });
