import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { '@aepkit/attr-match': new URL('./src/index.ts', import.meta.url).pathname } },
  test: { name: 'attr-match', isolate: false, setupFiles: ['../../scripts/vitest-setup.mjs'], include: ['test/**/*.test.ts'] },
});
