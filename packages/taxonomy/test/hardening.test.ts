import { parseEvent, type JsonObject, type WireEvent } from '@aepkit/envelope';
import { describe, expect, it } from 'vitest';

import { checkEmission, gate, gateData, StreamValidator, validatePayload, type FieldSpec } from '../src/index.js';
import { event, wire, wireText } from './events.js';

const TIMES = 8;
/** Between linear, which is 8, and quadratic, which is 64. */
const MOST = 32;

/** How many times more of the processor 8 times as much input takes, best of some runs. Waiting for a busy machine does not count. */
function growth(run: (size: number) => unknown, size: number): number {
  const best = (n: number): number => {
    let least = Infinity;
    for (let round = 0; round < 5; round++) {
      const from = process.cpuUsage();
      run(n);
      const { user, system } = process.cpuUsage(from);
      least = Math.min(least, user + system);
    }
    return least;
  };
  run(size);
  return best(size * TIMES) / Math.max(best(size), 500);
}

const unlimited = { maxBytes: Infinity, maxDepth: Infinity };

describe('depth', () => {
  it('is no matter where nobody looks: skipping counts brackets and does not recurse', () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    const json = `{"aep":"0.1","id":"e","type":"run.started","time":"2026-01-02T03:04:05Z","source":"a:b","agent":"a","session":"s","seq":1,"capture":"full","data":{"prompt":${deep},"x":1}}`;
    const made = { event: event('run.started', { capture: 'full', data: { prompt: 'deep', x: 1 } }), json };
    expect(gate(made, 'metadata').json).toMatch(/"capture":"metadata","data":\{"x":1\}\}$/);
    expect(gate(made, 'none').json).toMatch(/"capture":"none"\}$/);
  });

  it('of what is kept is the sender’s as well', () => {
    const deep = '{"a":'.repeat(60) + '1' + '}'.repeat(60);
    expect(gate(wireText('run.started', `,"capture":"full","data":{"x":${deep},"prompt":"S"}`), 'metadata').json).toContain(`"data":{"x":${deep}}`);
  });
});

describe('hostile names', () => {
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('%s is a member like any other', (name) => {
    const original = wireText('tool.failed', `,"capture":"full","data":{"${name}":{"message":"kept"},"error":{"${name}":1,"message":"S"},"tool":{"name":"B"}}`);
    const gated = gate(original, 'metadata');
    expect(gated.json).toContain(`"data":{"${name}":{"message":"kept"},"error":{"${name}":1},"tool":{"name":"B"}}`);
    expect(JSON.stringify(gated.event.data)).toBe(/"data":(.*)\}$/.exec(gated.json)![1]);
    expect(validatePayload(original.event)).toEqual([]);
    expect(checkEmission(original.event)).toEqual([]);
    expect(Object.getOwnPropertyNames(gateData('tool.failed', original.event.data!, 'metadata', { agent: 'a' }))).toContain(name);
  });

  it('do not reach a type, a unit or a session', () => {
    const validator = new StreamValidator();
    for (const name of ['__proto__', 'constructor']) {
      const made = (type: string, seq: number, more: object = {}): ReturnType<typeof event> => event(type, { session: name, seq, run: name, ...more });
      expect(validator.push(made('run.finished', 1))).toEqual([]);
      expect(validator.push(made('run.finished', 2))).toHaveLength(1);
      expect(validator.push(made('session.ended', 3))).toEqual([]);
      expect(validator.push(made('attention.resolved', 4, { subject: name, cause: name }))).toEqual([]);
    }
    expect(gate({ ...wire('x.a.b.c'), event: event('__proto__') }, 'full')).toBeDefined();
  });

  it('in the answers of a form neither escape nor collide', () => {
    const values = JSON.parse('{"__proto__":"S","constructor":1}') as JsonObject;
    const fields = [{ id: '__proto__', type: 'string', label: 'l' }] as const;
    expect(gateData('attention.answered', { answer: { values } }, 'metadata', { agent: 'a', fields })).toEqual({ answer: { values: {} } });
    const gated = gate(wire('attention.answered', { capture: 'full', data: { answer: { values } } }), 'metadata');
    expect(gated.json).toContain('"values":{"constructor":1}');
  });
});

describe('hostile texts', () => {
  it.each([
    ['brackets, quotes and commas', '"]}{[,:'],
    ['backslashes', '\\\\\\'],
    ['line and paragraph separators', '\u2028\u2029'],
    ['NUL and others', '\u0000\u001f\u007f'],
    ['a pair of surrogates', '😀'],
    ['a member of its own', '","capture":"none","x":"'],
  ])('in strings that stay and that go: %s', (_what, text) => {
    const original = wire('tool.completed', { capture: 'full', subject: text, xnote: text, data: { tool: { name: text, [text]: text }, result: { [text]: text }, status: text } });
    const gated = gate(original, 'metadata');
    expect(JSON.parse(gated.json)).toEqual(gated.event);
    expect(gated.event).toEqual({ ...original.event, capture: 'metadata', data: { tool: { name: text, [text]: text }, status: text } });
    const asked = gate(wire('attention.requested', { capture: 'full', agent: text, subject: text, data: { kind: 'input', prompt: 'S', options: [{ id: text, label: 'S' }] } }), 'metadata');
    expect(asked.event.data).toEqual({ kind: 'input', prompt: `${text} requests input: ${text}`, options: [{ id: text, label: text }] });
    expect(asked.json).not.toMatch(/[\r\n]/);
    expect(parseEvent(asked.json)).toEqual(asked);
  });

  it('of one line stay one line', () => {
    const gated = gate(wire('attention.requested', { capture: 'full', subject: 'a\r\nb', data: { kind: 'other', prompt: 'p' } }), 'metadata');
    expect(gated.json).not.toMatch(/[\r\n]/);
  });
});

describe('time', () => {
  const lower = (members: (size: number) => string, type = 'run.started') => {
    const made = new Map<number, WireEvent>();
    return (size: number): unknown => {
      const known = made.get(size) ?? parseEvent(wireText(type, ',"capture":"full"').json.replace(/\}$/, `,"data":${members(size)}}`), unlimited);
      made.set(size, known);
      return gate(known, 'metadata').json.length;
    };
  };

  it.each([
    ['backslashes', lower((n) => `{"prompt":"${'\\\\'.repeat(n * 20)}","x":"${'\\"'.repeat(n * 10)}"}`)],
    ['escaped names', lower((n) => `{${Array.from({ length: n }, (_, i) => `"\\u0061${i}":1`).join(',')},"prompt":"S"}`)],
    ['elements with members to cut', lower((n) => `{"documents":[${Array.from({ length: n }, () => '{"content":"c","id":"i","content_redacted":"r"}').join(',')}]}`, 'resource.retrieval.returned')],
    ['elements to cut', lower((n) => `{"documents":[${Array.from({ length: n }, () => '"text",{}').join(',')}]}`, 'resource.retrieval.returned')],
    ['labels to replace', lower((n) => `{"kind":"form","prompt":"p","options":[${Array.from({ length: n }, () => '{"id":"i","label":"l"}').join(',')}]}`, 'attention.requested')],
  ])('grows with the text and no faster: %s', (_what, run) => {
    expect(growth(run, 3_000)).toBeLessThan(MOST);
  });

  it('grows with a payload full of faults and no faster', () => {
    const faulty = (n: number): unknown => validatePayload(event('resource.retrieval.returned', { data: { documents: Array.from({ length: n }, () => ({ id: 5, score: 'x' })) } }));
    expect(growth(faulty, 3_000)).toBeLessThan(MOST);
    expect(faulty(50_000)).toHaveLength(101);
  });

  it('grows with answers and choices and no faster', () => {
    const ids = (n: number): string[] => Array.from({ length: n }, (_, i) => `c${i}`);
    const field = (n: number): FieldSpec => ({ id: 'f', type: 'select', multi: true, label: 'l', choices: ids(n).map((id) => ({ id, label: id })) });
    const answer = (n: number): JsonObject => ({ answer: { values: { f: ids(n) } } });
    expect(growth((n) => gateData('attention.answered', answer(n), 'metadata', { agent: 'a', fields: [field(n)] }), 1_500)).toBeLessThan(MOST);
    const stream = (n: number): unknown => {
      const validator = new StreamValidator();
      validator.push(event('attention.requested', { id: 'q', data: { kind: 'form', prompt: 'p', fields: [field(n)] } }));
      return validator.push(event('attention.answered', { subject: 'q', data: answer(n) }));
    };
    expect(growth(stream, 1_500)).toBeLessThan(MOST);
  });
});

describe('memory', () => {
  it('of a stream is bounded by entries, also where names are long', () => {
    const validator = new StreamValidator({ maxEvents: 10, maxSessions: 10, maxUnits: 10, maxRequests: 10 });
    const long = 'n'.repeat(10_000);
    for (let n = 0; n < 50; n++) {
      expect(validator.push(event('run.started', { id: `${long}${n}`, session: `${long}${n}`, run: `${long}${n}` }))).toEqual([]);
      expect(validator.push(event('attention.requested', { id: `q${long}${n}`, session: `${long}${n}` }))).toEqual([]);
    }
    expect(validator.forgotten).toBe(90 + 40 + 40 + 40);
    expect(validator.push(event('run.failed', { id: 'x', session: `${long}49`, run: `${long}49`, cause: `${long}49` }))).toEqual([]);
    expect(validator.push(event('run.failed', { id: 'y', session: `${long}49`, run: `${long}49`, cause: `${long}49` })).map((issue) => issue.code)).toEqual(['second-run-terminal']);
  });

  it('of issues is bounded', () => {
    const data = { documents: Array.from({ length: 5_000 }, () => ({ content: 'c', id: 1 })) };
    expect(validatePayload(event('resource.retrieval.returned', { data }))).toHaveLength(101);
    expect(checkEmission(event('resource.retrieval.returned', { data }))).toHaveLength(101);
  });
});
