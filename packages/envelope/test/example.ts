import { createId, parseEvent, positionOf, sourceUri, wireEvent } from '@aepkit/envelope';

const source = sourceUri({ host: 'laptop', agent: 'demo', session: 's1' });
const now = new Date().toISOString();
const { json } = wireEvent({ aep: '0.1', id: createId(), type: 'session.started', time: now, source, agent: 'demo', session: 's1', seq: 0 });

const { event } = parseEvent(json); // text or bytes; throws EnvelopeError
console.log(event.type, positionOf(event)); // session.started { session: 's1', epoch: 0, seq: 0 }
