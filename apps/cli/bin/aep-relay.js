#!/usr/bin/env node
process.argv.splice(2, 0, 'relay');
await import('./aep.js');
