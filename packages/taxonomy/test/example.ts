import { parseEvent } from '@aepkit/envelope';
import { gate, payloadOf, validatePayload } from '../src/index.js';

const wire = parseEvent(`{"aep":"0.1","id":"1","type":"tool.failed","time":"2026-01-02T03:04:05Z","source":"aep://host/agent/a","agent":"a",
  "session":"s","seq":1,"capture":"full","data":{"tool":{"name":"Bash"},"error":{"type":"exit","message":"rm: /home/kim: denied"}}}`);
console.log(validatePayload(wire.event)); // []
console.log(payloadOf(wire.event, 'tool.failed')?.error.message); // rm: /home/kim: denied
console.log(gate(wire, 'metadata').json); // …"capture":"metadata","data":{"tool":{"name":"Bash"},"error":{"type":"exit"}}}
