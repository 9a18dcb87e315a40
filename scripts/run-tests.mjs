// Runs every test of the workspace in one process and ends with the one line that says how many there were.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'aepkit-tests-'));
const file = join(folder, 'results.json');
const reporter = process.env.CI ? ['--reporter=dot'] : ['--reporter=default'];
const run = spawnSync('vitest', ['run', ...reporter, '--reporter=json', `--outputFile.json=${file}`, ...process.argv.slice(2)], {
  stdio: 'inherit',
});

let results;
try {
  results = JSON.parse(readFileSync(file, 'utf8'));
} catch (error) {
  console.error(`no test results: ${error.message}`);
  process.exit(1);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const passed = results.numPassedTests;
const skipped = results.numPendingTests + results.numTodoTests;
// A file that fails to load holds no failed test, yet it is a failure.
const failed = results.numFailedTests + results.testResults.filter((suite) => suite.status === 'failed' && suite.assertionResults.length === 0).length;
for (const suite of results.testResults) {
  for (const test of suite.assertionResults) {
    if (test.status === 'pending' || test.status === 'skipped') console.log(`skipped: ${test.fullName}`);
  }
}
// Where the time goes: a file that grows slow is seen before the whole run is.
const slowest = results.testResults
  .map((suite) => ({ name: relative(process.cwd(), suite.name), seconds: (suite.endTime - suite.startTime) / 1000 }))
  .sort((a, b) => b.seconds - a.seconds)
  .slice(0, 12);
for (const { name, seconds } of slowest) console.log(`slowest: ${seconds.toFixed(1).padStart(6)} s  ${name}`);
console.log(`tests: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(run.status !== 0 || failed > 0 || passed === 0 ? 1 : 0);
