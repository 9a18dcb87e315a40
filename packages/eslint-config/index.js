import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

import { APPS, BINDING_IMPORTS, LAYERS } from './layers.js';

const everyPackage = LAYERS.flatMap((layer) => layer.packages);

/** Names of ours that the sources of one package may import. */
function allowedImports(name) {
  if (name in APPS) return [...everyPackage, ...APPS[name]];
  if (name.startsWith('binding-')) return BINDING_IMPORTS;
  const level = LAYERS.findIndex((layer) => layer.packages.includes(name));
  const above = LAYERS.slice(0, level).flatMap((layer) => layer.packages);
  const pure = LAYERS.filter((layer) => layer.pure).flatMap((layer) => layer.packages);
  return LAYERS[level].pure ? above.filter((other) => pure.includes(other)) : above;
}

function directionOfImports(name, folder) {
  const allowed = allowedImports(name);
  const layer = LAYERS.find((candidate) => candidate.packages.includes(name));
  const patterns = [
    {
      regex: `^@aepkit/(?!(?:${allowed.join('|') || '-'})(?:/|$))`,
      message: `${name} may import of ours: ${allowed.join(', ') || 'nothing'}.`,
    },
    { regex: '^\\.\\./\\.\\.', message: 'Reach another package by its name.' },
  ];
  if (layer?.pure) patterns.push({ regex: '^node:', message: `${name} runs in a browser: no Node built-in.` });
  // `no-restricted-imports` sees declarations alone: `import()` and the type of that name go by these.
  const elsewhere = patterns.flatMap(({ regex, message }) =>
    ['ImportExpression > Literal', 'TSImportType Literal'].map((node) => ({ selector: `${node}[value=/${regex.replaceAll('/', '\\u002F')}/]`, message })),
  );
  return {
    files: [`${folder}/${name}/src/**/*.ts`],
    rules: { 'no-restricted-imports': ['error', { patterns }], 'no-restricted-syntax': ['error', ...HOUSE_SYNTAX, ...elsewhere] },
  };
}

const HOUSE_SYNTAX = [
  { selector: 'ExportAllDeclaration', message: 'List what is exported.' },
  { selector: 'ExportDefaultDeclaration', message: 'Export by name.' },
];

const NO_LAYER = { selector: 'Program', message: 'Give this package a place in packages/eslint-config/layers.js: the direction of its imports is not checked.' };

/** The lint rules of the workspace. */
export function config(tsconfigRootDir) {
  return defineConfig(
    { ignores: ['vitest.config.ts', '**/dist/**', '**/coverage/**', '**/generated/**', '**/*.mjs', '**/*.js', '.turbo/**'] },
    {
      files: ['**/*.ts', '**/*.tsx'],
      extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
      languageOptions: { parserOptions: { projectService: true, tsconfigRootDir } },
      linterOptions: { reportUnusedDisableDirectives: 'error' },
      rules: {
        eqeqeq: 'error',
        'no-restricted-syntax': ['error', ...HOUSE_SYNTAX],
        '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
        '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true, ignoreVoidOperator: true }],
        '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
        '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
        '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
        '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: 'only-allowed-literals' }],
      },
    },
    { files: ['packages/*/src/**/*.ts'], rules: { 'no-console': 'error' } },
    // Each package that has a layer has its own list below, which takes the place of this one.
    { files: ['packages/*/src/**/*.ts', 'apps/*/src/**/*.ts'], rules: { 'no-restricted-syntax': ['error', ...HOUSE_SYNTAX, NO_LAYER] } },
    everyPackage.map((name) => directionOfImports(name, 'packages')),
    Object.keys(APPS).map((name) => directionOfImports(name, 'apps')),
    {
      files: ['**/test/**/*.ts', '**/bench/**/*.ts', '**/vitest.config.ts', 'packages/testkit/**/*.ts'],
      rules: {
        'no-restricted-syntax': 'off',
        '@typescript-eslint/no-non-null-assertion': 'off',
        '@typescript-eslint/no-unsafe-assignment': 'off',
        '@typescript-eslint/no-unsafe-argument': 'off',
        '@typescript-eslint/no-unsafe-member-access': 'off',
        '@typescript-eslint/no-unsafe-call': 'off',
        '@typescript-eslint/no-unsafe-return': 'off',
        '@typescript-eslint/require-await': 'off',
        '@typescript-eslint/no-empty-function': 'off',
        '@typescript-eslint/unbound-method': 'off',
      },
    },
  );
}
