import { startRelay } from '../src/index.js';

const relay = await startRelay({ port: 0, upstream: ['http://127.0.0.1:8787'] });
console.log(`listening on ${relay.url}`);
await relay.close();
