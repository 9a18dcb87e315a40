import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { describe, expect, it } from 'vitest';

import { config } from '../index.js';
import { APPS, LAYERS } from '../layers.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const HOUSE = ['no-restricted-imports', 'no-restricted-syntax', 'no-console'];
// The rules that need no types, so that the files need not exist.
const rules = config(root)
  .map(({ files, rules: all = {} }) => ({ files, rules: Object.fromEntries(Object.entries(all).filter(([name]) => HOUSE.includes(name))) }))
  .filter(({ files, rules: some }) => files !== undefined && Object.keys(some).length > 0);
const linter = new Linter({ cwd: root });
const found = (filename, code) =>
  linter
    .verify(code, [{ files: ['**/*.ts'], languageOptions: { parser: tseslint.parser } }, ...rules], { filename })
    .map(({ ruleId, message }) => ruleId ?? message);

/** Every way to name another module. */
const ways = (name) => [
  `import { x } from '${name}';`,
  `import type { X } from '${name}';`,
  `import '${name}';`,
  `export { x } from '${name}';`,
  `export type { X } from '${name}';`,
  `export const x = () => import('${name}');`,
  `export type X = import('${name}').X;`,
];

describe('the direction of imports', () => {
  it.each([
    ['packages/envelope', '@aepkit/taxonomy'],
    ['packages/taxonomy', '@aepkit/attr-match'],
    ['packages/replay-buffer', '@aepkit/hub'],
    ['packages/resume', '@aepkit/replay-buffer'],
    ['packages/hub', '@aepkit/history'],
    ['packages/access', '@aepkit/config'],
    ['packages/history', '@aepkit/binding-http/server'],
    ['packages/binding-http', '@aepkit/binding-sse/client'],
    ['packages/binding-sse', '@aepkit/taxonomy'],
    ['packages/adapter-claude-code', '@aepkit/hub'],
    ['packages/hub', '@aepkit/testkit'],
    ['packages/hub', '@aepkit/collector'],
    ['apps/collector', '@aepkit/cli'],
    ['packages/hub', '../../history/src/index.js'],
    ['packages/attr-match', 'node:fs'],
  ])('keeps %s from %s', (folder, name) => {
    for (const code of ways(name)) expect(found(`${folder}/src/file.ts`, code), code).toHaveLength(1);
  });

  it.each([
    ['packages/taxonomy', '@aepkit/envelope'],
    ['packages/hub', '@aepkit/replay-buffer'],
    ['packages/history', '@aepkit/hub'],
    ['packages/binding-sse', '@aepkit/access'],
    ['packages/binding-ws', '@aepkit/resume'],
    ['apps/cli', '@aepkit/collector'],
    ['packages/history', 'node:fs'],
    ['packages/hub', './contracts.js'],
    ['packages/taxonomy', '../form.js'],
    ['packages/hub', 'hono'],
  ])('lets %s have %s', (folder, name) => {
    for (const code of ways(name)) expect(found(`${folder}/src/file.ts`, code), code).toEqual([]);
  });

  it.each(['packages/newcomer', 'apps/newcomer'])('reports every file of %s, which no list names', (folder) => {
    for (const code of ['export const x = 1;', ...ways('@aepkit/hub')]) expect(found(`${folder}/src/file.ts`, code), code).toEqual(['no-restricted-syntax']);
    expect(found('packages/testkit/src/file.ts', "import '@aepkit/hub';")).toEqual([]);
  });

  it('keeps a package that has a layer from one that has none', () => {
    for (const code of ways('@aepkit/newcomer')) expect(found('packages/hub/src/file.ts', code), code).toHaveLength(1);
  });

  it('is stated for every package and app', () => {
    const folders = (name) => readdirSync(`${root}/${name}`, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const stated = new Set([...LAYERS.flatMap(({ packages }) => packages), 'testkit', 'eslint-config']);
    expect(folders('packages').map(({ name }) => name).filter((name) => !stated.has(name))).toEqual([]);
    expect(folders('apps').map(({ name }) => name).filter((name) => !Object.hasOwn(APPS, name))).toEqual([]);
  });
});

describe('the house rules', () => {
  it.each([
    ["export * from './event.js';", 'no-restricted-syntax'],
    ["export * as all from './event.js';", 'no-restricted-syntax'],
    ['export default 1;', 'no-restricted-syntax'],
    ['console.error(1);', 'no-console'],
  ])('refuse %s in a package', (code, rule) => {
    expect(found('packages/hub/src/file.ts', code)).toEqual([rule]);
  });
});
