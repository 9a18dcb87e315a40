// Lints the workspace in several processes: the types of all packages together are more than one process can hold.
import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { extname, join } from 'node:path';

const GROUPS = 6;
const AT_ONCE = Math.min(2, availableParallelism());
const NESTED = new Set(['packages', 'apps']);
const SOURCES = new Set(['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts']);

const isLeftOut = (name) => name.startsWith('.') || name === 'node_modules' || name === 'dist';

/** How much there is to lint below a path. */
function sizeOf(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return SOURCES.has(extname(path)) ? stats.size : 0;
  return readdirSync(path).reduce((sum, name) => (isLeftOut(name) ? sum : sum + sizeOf(join(path, name))), 0);
}

const units = readdirSync('.')
  .filter((name) => !isLeftOut(name))
  .flatMap((name) => (NESTED.has(name) ? readdirSync(name).map((each) => join(name, each)) : [name]))
  .map((path) => ({ path, size: sizeOf(path) }))
  .filter(({ size }) => size > 0)
  .sort((a, b) => b.size - a.size);

const groups = Array.from({ length: Math.min(GROUPS, units.length) }, () => ({ paths: [], size: 0 }));
for (const { path, size } of units) {
  const smallest = groups.reduce((found, group) => (group.size < found.size ? group : found));
  smallest.paths.push(path);
  smallest.size += size;
}

function lint({ paths }, index) {
  const cache = ['--cache', '--cache-location', `node_modules/.cache/eslint/${index}`];
  // The configuration leaves some folders out as a whole, which is no mistake here.
  const strict = ['--max-warnings', '0', '--no-error-on-unmatched-pattern', '--no-warn-ignored'];
  const child = spawn('eslint', [...paths, ...strict, ...cache, ...process.argv.slice(2)], { stdio: 'inherit', shell: process.platform === 'win32' });
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(`eslint could not be started: ${error.message}`);
      resolve(1);
    });
    child.on('close', (code) => resolve(code ?? 1));
  });
}

const waiting = [...groups.entries()];
let status = 0;
async function work() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) status = Math.max(status, await lint(next[1], next[0]));
}
await Promise.all(Array.from({ length: AT_ONCE }, work));
process.exit(status);
