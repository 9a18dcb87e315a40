#!/usr/bin/env node
import module from 'node:module';

module.enableCompileCache?.();
process.argv.splice(2, 0, 'collector');
await import('../dist/main.js');
