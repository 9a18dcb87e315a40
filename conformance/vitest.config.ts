import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { '@aepkit/conformance': new URL('./src/index.ts', import.meta.url).pathname } },
  test: { name: 'conformance', setupFiles: ['../scripts/vitest-setup.mjs'], include: ['test/**/*.test.ts'] },
});
