import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'adapter-claude-code', include: ['test/**/*.test.ts'] } });
