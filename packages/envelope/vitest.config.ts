import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

export default defineConfig({
  // The program of the README imports the package by its name.
  resolve: { alias: { '@aepkit/envelope': fileURLToPath(new URL('./src/index.ts', import.meta.url)) } },
  test: { name: 'envelope', isolate: false, setupFiles: ['../../scripts/vitest-setup.mjs'], include: ['test/**/*.test.ts'], testTimeout: 30_000 },
});
