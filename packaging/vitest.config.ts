import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'packaging',
    globalSetup: ['src/global-setup.ts'],
    setupFiles: ['../scripts/vitest-setup.mjs'],
    include: ['test/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});
