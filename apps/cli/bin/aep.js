#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number);
// A hook runs under whatever Node an agent finds, and needs nothing that Node 20 lacks.
const oldest = process.argv[2] === 'hook' ? [20, 0] : [22, 13];
if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
  process.stderr.write(`aep: needs Node.js ${oldest.join('.')} or later; this is ${process.versions.node}\n`);
  // An agent must not stop over its hook.
  process.exit(process.argv[2] === 'hook' ? 0 : 2);
}
await import('../dist/main.js');
