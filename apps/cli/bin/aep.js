#!/usr/bin/env node
import module from 'node:module';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 13)) {
  process.stderr.write(`aep: needs Node.js 22.13 or later; this is ${process.versions.node}\n`);
  // An agent must not stop over its hook.
  process.exit(process.argv[2] === 'hook' ? 0 : 2);
}
module.enableCompileCache();
await import('../dist/main.js');
