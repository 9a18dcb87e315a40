import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'replay-buffer', include: ['test/**/*.test.ts'] } });
