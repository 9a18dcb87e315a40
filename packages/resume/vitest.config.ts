import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { '@aepkit/resume': new URL('./src/index.ts', import.meta.url).pathname } },
  test: { name: 'resume', isolate: false, setupFiles: ['../../scripts/vitest-setup.mjs'], include: ['test/**/*.test.ts'] },
});
