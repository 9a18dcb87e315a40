import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'binding-jsonl', include: ['test/**/*.test.ts'], testTimeout: 30_000 } });
