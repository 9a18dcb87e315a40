// Runs benchmarks, all or those whose name contains an argument, and ends with one table.
//
//   npm run bench -- [NAME…] [--json FILE] [--smoke] [--list]
import { spawn } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';

import { show, target } from './lib/bench.mjs';

const root = resolve(import.meta.dirname, '..');
const options = process.argv.slice(2).filter((arg) => arg !== '--');
const given = options.indexOf('--json');
const out = given < 0 ? join(import.meta.dirname, 'results.json') : resolve(options.splice(given, 2)[1] ?? '');
const flag = (name) => options.includes(name) && options.splice(options.indexOf(name), 1).length > 0;
const list = flag('--list');
const smoke = flag('--smoke');

/** `packages/hub/bench/fanout.bench.mjs` is `hub/fanout`, `bench/ingest.bench.mjs` is `ingest`. */
const nameOf = (file) => {
  const path = relative(root, file);
  const own = basename(file, '.bench.mjs');
  const folder = /^(?:packages|apps)\/([^/]+)\//.exec(path)?.[1];
  return folder === undefined ? own : `${folder}/${own}`;
};

const files = globSync(['bench/*.bench.mjs', 'packages/*/bench/*.bench.mjs', 'apps/*/bench/*.bench.mjs'], { cwd: root })
  .map((file) => join(root, file))
  .sort();
// Sizes are tiny only in those that share lib/bench.mjs; the others print text alone.
const shares = (file) => readFileSync(file, 'utf8').includes('bench/lib/bench.mjs') || readFileSync(file, 'utf8').includes('./lib/bench.mjs');
const wanted = files.filter((file) => (shares(file) || !smoke) && (options.length === 0 || options.some((name) => nameOf(file).includes(name))));
if (wanted.length === 0) {
  console.error(`no benchmark is named like ${options.join(', ')}; there are:\n${files.map((file) => `  ${nameOf(file)}`).join('\n')}`);
  process.exit(2);
}
if (list) {
  for (const file of wanted) console.log(nameOf(file));
  process.exit(0);
}

/** Runs one; its text goes to standard error as it comes. */
function run(file) {
  return new Promise((settle) => {
    const child = spawn(process.execPath, ['--expose-gc', '--no-warnings', file, '--json', ...(smoke ? ['--smoke'] : [])], {
      cwd: join(file, '../..'),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => (text += chunk));
    child.on('close', (code) => {
      if (code !== 0) return settle(undefined);
      if (shares(file)) return settle(JSON.parse(text).rows);
      process.stderr.write(text);
      settle([]);
    });
  });
}

const started = new Date();
const results = new Map();
const next = wanted.values();
const lane = async () => {
  for (const file of next) {
    process.stderr.write(`\n── ${nameOf(file)} (load ${loadavg()[0].toFixed(1)})\n`);
    results.set(file, await run(file));
  }
};
// One at a time, for its figures; where they say nothing, two.
await Promise.all(smoke ? [lane(), lane()] : [lane()]);
const failed = wanted.filter((file) => results.get(file) === undefined).map(nameOf);
const rows = wanted.flatMap((file) => (results.get(file) ?? []).map((row) => ({ ...row, bench: nameOf(file) })));

const cells = rows.map((row) => [
  row.bench,
  row.row,
  show(row),
  target(row),
  row.met === undefined ? '' : row.met ? 'yes' : 'NO',
  row.load.toFixed(1),
]);
const head = ['bench', 'row', 'figure', 'target', 'met', 'load'];
const widths = head.map((title, at) => Math.max(title.length, ...cells.map((cell) => cell[at].length)));
const line = (cell) => cell.map((text, at) => (at === 2 ? text.padStart(widths[at]) : text.padEnd(widths[at]))).join('  ').trimEnd();
console.log(`\n${line(head)}\n${widths.map((width) => '─'.repeat(width)).join('  ')}`);
for (const cell of cells) console.log(line(cell));

const missed = rows.filter(({ met }) => met === false).length;
const targets = rows.filter(({ met }) => met !== undefined).length;
console.log(`\n${rows.length} rows, ${targets - missed} of ${targets} targets met, ${cpus().length} processors, load ${loadavg()[0].toFixed(1)}${smoke ? '; a smoke run, its figures say nothing' : ''}`);
writeFileSync(out, `${JSON.stringify({ started: started.toISOString(), node: process.version, processors: cpus().length, smoke, failed, rows }, null, 2)}\n`);
console.log(`written to ${relative(process.cwd(), out) || out}`);
if (failed.length > 0) {
  console.error(`failed: ${failed.join(', ')}`);
  process.exit(1);
}
