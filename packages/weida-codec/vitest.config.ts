import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { '@aepkit/weida-codec': new URL('./src/index.ts', import.meta.url).pathname } },
  test: { name: 'weida-codec', setupFiles: ['../../scripts/vitest-setup.mjs'], include: ['test/**/*.test.ts'] },
});
