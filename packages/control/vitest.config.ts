import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { '@aepkit/control': new URL('./src/index.ts', import.meta.url).pathname } },
  test: { name: 'control', isolate: false, setupFiles: ['../../scripts/vitest-setup.mjs'], include: ['test/**/*.test.ts'] },
});
