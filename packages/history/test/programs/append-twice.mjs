// Appends and leaves the store open. The process ends by itself.
import { wireEvent } from '@aepkit/envelope';
import { openHistory } from '../../dist/index.js';

const history = await openHistory({ path: process.argv[2] });
const event = wireEvent({ aep: '0.1', id: '1', type: 'agent.started', time: '2026-01-01T00:00:00Z', source: 'aep://h/agent/a', agent: 'a' });
console.log(await history.append([event]), await history.append([event]));
