import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'binding-sse', include: ['test/**/*.test.ts'] } });
