import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { transform } from 'esbuild';

import { command, insist, succeed } from './command.js';
import { installedBy, programsOf } from './readme.js';
import { typeScriptConfigs } from './typescript.js';
import { type Published, publishedPackages, readManifest, ROOT, specifier } from './workspace.js';

/** The folder of the lab in which one package is installed with what it declares, and nothing else. */
export const projectFolder = (lab: string, { short }: Pick<Published, 'short'>): string => join(lab, 'projects', short);

export const tarballOf = (lab: string, { manifest }: Pick<Published, 'manifest'>): string =>
  join(lab, 'tarballs', `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`);

/** Packs every published package, installs each alone, in a workspace of its own below `folder`, and says which those are. */
export async function buildLab(folder: string): Promise<readonly Published[]> {
  const packages = await publishedPackages();
  for (const each of packages) removeOrphans(join(each.folder, 'dist'));
  await pack(packages, folder);
  mkdirSync(join(folder, 'types'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'lab', private: true }));
  const typesOfNode = readManifest(ROOT).devDependencies?.['@types/node'];
  writeFileSync(join(folder, 'types/package.json'), JSON.stringify({ name: 'types', private: true, devDependencies: { '@types/node': typesOfNode } }));
  writeFileSync(join(folder, 'pnpm-workspace.yaml'), workspaceFile(packages, folder));
  await Promise.all(packages.map((each) => prepareProject(each, folder)));
  for (const [name, config] of Object.entries(typeScriptConfigs(packages, folder))) writeFileSync(join(folder, name), JSON.stringify(config));
  const [program, args] = await pnpm();
  await insist(program, [...args, 'install', '--prefer-offline', '--ignore-scripts', '--no-frozen-lockfile'], { cwd: folder, timeoutMs: 180_000 });
  return packages;
}

/** The compiler leaves what it made of a source that is gone; nobody should publish, or measure, that. */
function removeOrphans(dist: string): void {
  if (!existsSync(dist)) return;
  for (const path of readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js.map'))) {
    const map = join(dist, path);
    const { sources } = JSON.parse(readFileSync(map, 'utf8')) as { sources: readonly string[] };
    if (sources.every((source) => existsSync(join(dirname(map), source)))) continue;
    const stem = map.slice(0, -'.js.map'.length);
    for (const extension of ['.js', '.js.map', '.d.ts', '.d.ts.map']) rmSync(stem + extension, { force: true });
  }
}

/** `pnpm` of the script that runs us, or one of our own where a person started the test runner. */
async function pnpm(): Promise<[string, string[]]> {
  const found = await command('pnpm', ['--version'], { cwd: ROOT }).catch(() => undefined);
  if (found?.code === 0) return ['pnpm', []];
  const { packageManager } = readManifest(ROOT) as unknown as { packageManager: string };
  return ['npx', ['--yes', '--prefer-offline', packageManager]];
}

async function pack(packages: readonly Published[], folder: string): Promise<void> {
  const [program, args] = await pnpm();
  const filters = packages.map(({ name }) => `--filter=${name}`);
  await succeed(program, [...args, '--recursive', ...filters, 'pack', '--pack-destination', join(folder, 'tarballs')], { cwd: ROOT });
  for (const each of packages) if (!existsSync(tarballOf(folder, each))) throw new Error(`${each.name} was not packed to ${tarballOf(folder, each)}`);
}

/** Isolated and without hoisting: a package sees what it declares itself. Siblings come from their tarballs. */
function workspaceFile(packages: readonly Published[], folder: string): string {
  return [
    'packages:',
    '  - projects/*',
    '  - types',
    'pmOnFail: ignore',
    'nodeLinker: isolated',
    'hoist: false',
    'sharedWorkspaceLockfile: false',
    'strictPeerDependencies: true',
    'engineStrict: true',
    'fetchRetries: 5',
    'fetchTimeout: 60000',
    'overrides:',
    ...packages.map((each) => `  '${each.name}': 'file:${tarballOf(folder, each)}'`),
    '',
  ].join('\n');
}

/** Its text; none is found out by a test. */
export function readmeOf({ folder }: Pick<Published, 'folder'>): string {
  const path = join(folder, 'README.md');
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** What the README tells to install, at the version that the package is developed with. */
function dependenciesOf(each: Published, readme: string, folder: string): Record<string, string> {
  const { devDependencies, dependencies } = each.manifest;
  const declared: Readonly<Record<string, string>> = { ...devDependencies, ...dependencies };
  const said = installedBy(readme).map((name): [string, string] => [name, name.startsWith('@aepkit/') ? '*' : (declared[name] ?? '*')]);
  return { ...Object.fromEntries(said), [each.name]: `file:${tarballOf(folder, each)}` };
}

async function prepareProject(each: Published, lab: string): Promise<void> {
  const folder = projectFolder(lab, each);
  mkdirSync(folder, { recursive: true });
  const readme = readmeOf(each);
  const dependencies = dependenciesOf(each, readme, lab);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: `alone-${each.short}`, private: true, type: 'module', dependencies }));

  const programs = programsOf(readme);
  for (const [index, program] of programs.entries()) {
    writeFileSync(join(folder, `readme-${index + 1}.ts`), program);
    const { code } = await transform(program, { loader: 'ts', target: 'node22', tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } } });
    writeFileSync(join(folder, `readme-${index + 1}.js`), code);
  }
  const imports = each.entries.map((entry, index) => `import * as entry${index} from '${specifier(each.name, entry)}';\n`);
  writeFileSync(join(folder, 'entries.ts'), `${imports.join('')}export const entries: readonly object[] = [${each.entries.map((_, index) => `entry${index}`).join(', ')}];\n`);

  const test = join(each.folder, 'test');
  const drivers = existsSync(test) ? readdirSync(test).filter((name) => /^alone(\.\w+)?\.mjs$/.test(name)) : [];
  for (const name of drivers) cpSync(join(test, name), join(folder, name));

  const named = programs.map((_, index) => `./readme-${index + 1}.js`);
  const driver = drivers.includes('alone.mjs') ? './alone.mjs' : undefined;
  writeFileSync(join(folder, 'main.js'), mainProgram({ driver, programs: named, entries: each.entries.map((entry) => specifier(each.name, entry)) }));
  writeFileSync(join(folder, 'run.js'), runProgram('./main.js'));
  if (each.browserEntries.length === 0) return;
  const entries = each.browserEntries.map((entry) => specifier(each.name, entry));
  const own = drivers.includes('alone.browser.mjs');
  writeFileSync(
    join(folder, 'main.browser.js'),
    mainProgram(own ? { driver: './alone.browser.mjs', programs: [], entries } : { driver: each.pure ? driver : undefined, programs: each.pure ? named : [], entries }),
  );
  writeFileSync(join(folder, 'run.browser.js'), runProgram('./main.browser.js'));
  if (drivers.includes('alone.server.mjs')) writeFileSync(join(folder, 'serve.js'), SERVE);
}

/**
 * The module that tries a package: imports its entries, then the programs of its README, then lets the driver use what they
 * export. The driver comes first, so that it can set what a program reads at its start.
 */
function mainProgram(parts: { driver: string | undefined; programs: readonly string[]; entries: readonly string[] }): string {
  return `${SURFACE}
export async function main(context) {
  const logged = [];
  console.log = (...values) => void logged.push(values);
  const entries = {};
${parts.entries.map((name) => `  entries['${name}'] = surface(await import('${name}'));`).join('\n')}
  const driver = ${parts.driver === undefined ? '{}' : `await import('${parts.driver}')`};
  const programs = [${parts.programs.map((name) => `await import('${name}')`).join(', ')}];
  const result = await driver.run?.({ programs, logged, ...context });
  return JSON.parse(JSON.stringify({ entries, logged, result, expected: driver.expected }));
}
`;
}

/** What an entry exports: the values of its constants, and of the rest what it is. */
const SURFACE = `const tell = (value) => {
  if (typeof value === 'function') return /^class\\b/.test(Function.prototype.toString.call(value)) ? 'class' : 'function';
  if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value))) return String(value);
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > 500 ? typeof value : text;
};
const surface = (entry) => Object.fromEntries(Object.keys(entry).sort().map((name) => [name, tell(entry[name])]));`;

function runProgram(main: string): string {
  return `import { main } from '${main}';
process.stdout.write(JSON.stringify(await main(JSON.parse(process.argv[2] ?? '{}'))));
`;
}

/** Serves for a page until its standard input ends. */
const SERVE = `import { serve } from './alone.server.mjs';
const { url } = await serve({ origin: process.argv[2] });
process.stdout.write(JSON.stringify({ url }) + '\\n');
process.stdin.on('end', () => process.exit(0)).resume();
`;
