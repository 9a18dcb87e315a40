import { startCollector } from '../src/index.js';

const collector = await startCollector({ port: 0, data: './history' });
console.log(`listening on ${collector.url}`);
await collector.close();
