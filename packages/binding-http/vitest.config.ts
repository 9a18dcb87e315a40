import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'binding-http', setupFiles: ['../../scripts/vitest-setup.mjs'], include: ['test/**/*.test.ts'], testTimeout: 20_000 } });
