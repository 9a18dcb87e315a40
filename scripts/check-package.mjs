// Packs the package in the current folder and checks what a consumer would get: the package linter, and that every
// entry resolves to types and code under ESM resolution.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const folder = process.cwd();
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const out = mkdtempSync(join(tmpdir(), 'aepkit-pack-'));
const problems = [];

try {
  const packed = execFileSync('pnpm', ['pack', '--json', '--pack-destination', out], { cwd: folder, encoding: 'utf8' });
  const tarball = readFileSync(JSON.parse(packed).filename);
  const data = tarball.buffer.slice(tarball.byteOffset, tarball.byteOffset + tarball.byteLength);

  const { messages } = await publint({ pack: { tarball: data }, strict: true });
  for (const message of messages) problems.push(formatMessage(message, manifest) ?? message.code);

  // Entries that are data have no types to resolve.
  const excludeEntrypoints = Object.entries(manifest.exports)
    .filter(([, target]) => typeof target === 'string')
    .map(([entry]) => entry);
  const types = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)), { excludeEntrypoints });
  if (types.types === false) {
    problems.push('no types found');
  } else {
    // ESM only by decision: what CommonJS and the resolution of Node 10 make of it is not asked.
    for (const problem of types.problems) {
      const kind = problem.resolutionKind ?? problem.kind;
      if (kind === 'node10' || kind === 'node16-cjs' || problem.kind === 'CJSResolvesToESM') continue;
      problems.push(`${problem.kind} ${problem.entrypoint ?? ''} ${kind}`);
    }
  }
} finally {
  rmSync(out, { recursive: true, force: true });
}

if (problems.length > 0) {
  console.error(`${manifest.name}:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  process.exit(1);
}
