#!/usr/bin/env node
process.argv.splice(2, 0, 'collector');
await import('./aep.js');
