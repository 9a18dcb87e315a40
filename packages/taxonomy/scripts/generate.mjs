// Writes src/generated from the payload table, as tsc left it in dist. With --check it writes nothing and fails where a
// file is not what it would write; the build runs it so.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { gatesSource } from './gates.mjs';
import { payloadsSource } from './payloads.mjs';
import { validatorsSource } from './validators.mjs';

/** File name to text. */
export function generate(schemas, registry) {
  return {
    'payloads.ts': payloadsSource(schemas, registry),
    'gates.ts': gatesSource(schemas),
    'validators.ts': validatorsSource(schemas),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { payloadSchemas } = await import('../dist/payload-schemas.js');
  const { registry } = await import('../dist/registry.js');
  const stale = [];
  for (const [name, text] of Object.entries(generate(payloadSchemas, registry))) {
    const file = new URL(`../src/generated/${name}`, import.meta.url);
    let current;
    try {
      current = readFileSync(file, 'utf8');
    } catch {
      current = undefined;
    }
    if (current === text) continue;
    stale.push(name);
    if (!process.argv.includes('--check')) writeFileSync(file, text);
  }
  if (process.argv.includes('--check') && stale.length > 0) {
    console.error(`out of date: src/generated/${stale.join(', src/generated/')}; run "pnpm run generate" in packages/taxonomy`);
    process.exit(1);
  }
}
