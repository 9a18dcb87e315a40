import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'history', include: ['test/**/*.test.ts'] } });
