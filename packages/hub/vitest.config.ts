import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'hub', include: ['test/**/*.test.ts'] } });
