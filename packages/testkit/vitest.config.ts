import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'testkit', testTimeout: 20_000, include: ['test/**/*.test.ts'] } });
