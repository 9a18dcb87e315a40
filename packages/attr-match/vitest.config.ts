import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'attr-match', include: ['test/**/*.test.ts'] } });
