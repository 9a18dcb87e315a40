import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'binding-jsonl', include: ['test/**/*.test.ts'] } });
