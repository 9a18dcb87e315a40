import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'binding-jsonl', setupFiles: ['../../scripts/vitest-setup.mjs'], include: ['test/**/*.test.ts'], testTimeout: 30_000 } });
