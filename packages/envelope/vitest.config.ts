import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'envelope', include: ['test/**/*.test.ts'] } });
