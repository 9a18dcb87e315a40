import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'eslint-config', setupFiles: ['../../scripts/vitest-setup.mjs'], include: ['test/**/*.test.mjs'] } });
