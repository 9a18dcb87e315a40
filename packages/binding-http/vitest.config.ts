import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'binding-http', include: ['test/**/*.test.ts'], testTimeout: 20_000 } });
