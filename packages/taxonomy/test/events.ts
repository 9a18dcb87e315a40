import { parseEvent, type AepEvent, type JsonObject, type WireEvent } from '@aepkit/envelope';

import { registry } from '../src/index.js';

const FOREIGN = new Set(['control.attention.respond', 'control.cancel', 'control.pause', 'control.resume', 'attention.routed']);

type Attributes = Partial<Omit<AepEvent, 'data'>> & { readonly data?: JsonObject | undefined };

let counter = 0;

/** A valid Event of a type; `seq` counts up unless it is given. */
export function event(type: string, attributes: Attributes = {}): AepEvent {
  counter += 1;
  const scope = type.startsWith('agent.') ? {} : FOREIGN.has(type) || /^x\.[^.]+\.control\./.test(type) ? { session: 's1' } : { session: 's1', seq: counter };
  const made = { aep: '0.1', id: `e${counter}`, type, time: '2026-01-02T03:04:05Z', source: 'aep://host/agent/a', agent: 'a', ...scope, ...attributes };
  return Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined)) as unknown as AepEvent;
}

/** The same, with its text. */
export function wire(type: string, attributes: Attributes = {}): WireEvent {
  return parseEvent(JSON.stringify(event(type, attributes)));
}

/** An Event from the text of its members behind the required ones. */
export function wireText(type: string, members: string): WireEvent {
  return parseEvent(`{"aep":"0.1","id":"e","type":"${type}","time":"2026-01-02T03:04:05Z","source":"aep://host/agent/a","agent":"a"${type.startsWith('agent.') ? '' : ',"session":"s1","seq":1'}${members}}`);
}

export const TYPES: readonly string[] = registry.map((entry) => entry.type);
