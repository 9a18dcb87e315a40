import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { type Published } from './workspace.js';

interface Config {
  readonly compilerOptions: Readonly<Record<string, unknown>>;
  readonly files: readonly string[];
}

/** What every consumer's settings are here; the declarations of our packages are checked as well. */
const STRICT = { strict: true, noEmit: true, skipLibCheck: false, noUncheckedIndexedAccess: true, verbatimModuleSyntax: true } as const;

const RESOLUTIONS = [
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'preserve', moduleResolution: 'bundler' },
] as const;

/**
 * One file of settings for each way a consumer may be set up, by file name. The packages share a run of the compiler, each
 * resolving from its own folder; pure packages have one without the types of Node.
 */
export function typeScriptConfigs(packages: readonly Published[], lab: string): Record<string, Config> {
  const configs: Record<string, Config> = {};
  for (const pure of [true, false]) {
    const group = packages.filter((each) => each.pure === pure);
    const environment = pure ? { types: [] } : { types: ['node'], typeRoots: [join(lab, 'types/node_modules/@types')] };
    const filesOf = (pattern: RegExp): string[] =>
      group.flatMap(({ short }) => {
        const folder = join(lab, 'projects', short);
        if (!existsSync(folder)) return [];
        return readdirSync(folder)
          .filter((name) => pattern.test(name))
          .map((name) => `projects/${short}/${name}`);
      });
    const name = pure ? 'pure' : 'node';
    for (const resolution of RESOLUTIONS) {
      for (const exactOptionalPropertyTypes of [true, false]) {
        const compilerOptions = { ...STRICT, ...resolution, exactOptionalPropertyTypes, target: 'esnext', ...environment };
        const files = filesOf(/^(readme-\d+|entries)\.ts$/);
        configs[`tsconfig.${name}.${resolution.moduleResolution}.${exactOptionalPropertyTypes ? 'exact' : 'loose'}.json`] = { compilerOptions, files };
      }
    }
    // The oldest library a consumer may ask for.
    const compilerOptions = { ...STRICT, ...RESOLUTIONS[0], target: 'es2022', lib: pure ? ['es2022', 'dom'] : ['es2022'], ...environment };
    configs[`tsconfig.${name}.es2022.json`] = { compilerOptions, files: filesOf(/^entries\.ts$/) };
  }
  return configs;
}
