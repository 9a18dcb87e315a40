import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { '@aepkit/subscription-model': new URL('./src/index.ts', import.meta.url).pathname } },
  test: { name: 'subscription-model', setupFiles: ['../../scripts/vitest-setup.mjs'], include: ['test/**/*.test.ts'] },
});
