import fc from 'fast-check';

import type { Loose } from './support.js';

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((value) => value.isWellFormed());
const token = fc.stringMatching(/^[a-z0-9_]{1,8}$/);
const category = fc.constantFrom('session', 'run', 'progress', 'tool', 'delegation', 'resource', 'error', 'state', 'assessment', 'message');

const two = (max: number, min = 0): fc.Arbitrary<string> => fc.integer({ min, max }).map((number) => String(number).padStart(2, '0'));
/** Date-times of the grammar; the day may not exist. */
export const dateTime: fc.Arbitrary<string> = fc
  .tuple(
    fc.integer({ min: 0, max: 9999 }).map((year) => String(year).padStart(4, '0')),
    two(12, 1),
    two(31, 1),
    fc.constantFrom('T', 't'),
    two(23),
    two(59),
    two(60),
    fc.oneof(fc.constant(''), fc.stringMatching(/^\.[0-9]{1,30}$/)),
    fc.oneof(fc.constantFrom('Z', 'z'), fc.tuple(fc.constantFrom('+', '-'), two(23), two(59)).map(([sign, hour, minute]) => `${sign}${hour}:${minute}`)),
  )
  .map(([year, month, day, t, hour, minute, second, fraction, zone]) => `${year}-${month}-${day}${t}${hour}:${minute}:${second}${fraction}${zone}`);

const source = fc.oneof(
  fc.tuple(token, token, token).map(([host, agent, session]) => `aep://${host}/agent/${agent}/session/${session}`),
  fc.constantFrom('urn:x', 'a:', 'https://example.org/?q=1#f', 'aep://höst/ü'),
);
const count = fc.oneof(fc.nat(), fc.maxSafeNat());
const extensionName = fc.stringMatching(/^[a-z0-9]{1,20}$/);
const extensionValue = fc.oneof(text, fc.constant(''), fc.boolean(), fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true }).map(Math.trunc));

/** JSON values without lone surrogates and not too deep. */
export const json = fc.jsonValue({ maxDepth: 4, stringUnit: 'grapheme' });
const data = fc.dictionary(text, json, { maxKeys: 6 });

const optional = { subject: text, cause: text, epoch: count, severity: fc.constantFrom('debug', 'info', 'notice', 'warning', 'error', 'critical'), capture: fc.constantFrom('none', 'metadata', 'redacted', 'full'), traceparent: fc.stringMatching(/^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/), data };
const always = { aep: fc.constant('0.1'), id: text, time: dateTime.filter((value) => Number(value.slice(8, 10)) <= 28), source, agent: text };
const placed = { session: text, run: text, step: text };

const record = (fixed: Record<string, fc.Arbitrary<unknown>>, free: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Loose> =>
  fc.record({ ...fixed, ...free }, { requiredKeys: Object.keys(fixed) });

const core = fc.oneof(
  record({ ...always, type: fc.tuple(category, token).map(([a, b]) => `${a}.${b}`), session: text, seq: count }, { run: text, step: text, ...optional }),
  record({ ...always, type: fc.tuple(token, token, token).map(([a, b, c]) => `x.${a}-v.run${b}.${c}`), session: text, seq: count }, { run: text, ...optional }),
  record({ ...always, type: token.map((name) => `agent.${name}`) }, optional),
  record(
    {
      ...always,
      type: fc.constantFrom('control.cancel', 'control.pause', 'control.resume', 'control.attention.respond', 'attention.routed', 'x.a.control.b'),
      session: text,
    },
    { run: text, step: text, ...optional },
  ),
  record({ ...always, type: fc.constantFrom('control.accepted', 'control.rejected', 'attention.requested'), ...placed, seq: count }, optional),
);

const CORE = new Set(['aep', 'id', 'type', 'subject', 'time', 'source', 'agent', 'session', 'run', 'step', 'seq', 'epoch', 'cause', 'traceparent', 'severity', 'capture', 'data']);

/** Valid Events of all classes, extension attributes included. */
export const validEvent: fc.Arbitrary<Loose> = fc
  .tuple(core, fc.dictionary(extensionName.filter((name) => !CORE.has(name)), extensionValue, { maxKeys: 3, noNullPrototype: true }))
  .map(([event, extensions]) => ({ ...event, ...extensions }));

/** Values that at least one attribute cannot have. */
export const ODD_VALUES: readonly unknown[] = [
  null, '', ' ', 'x', '0.1', '0.2', '1.0', 0, -0, 1, -1, 1.5, 1e3, 1e21, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 1e300, true, false, [], ['x'], {}, { a: 1 },
  'tool', 'tool.', '.tool', 'tool.a', 'tool.a.', 'tool..a', 'Tool.a', 'tool.A', 'tool.a-b', 'tool.a\n', 'banana.a', 'agent.a', 'agent', 'agent.', 'control.cancel', 'control.cancelled',
  'control.accepted', 'attention.routed', 'attention.routed.x', 'x.a', 'x.a.b', 'x.a.b.c', 'x.a-b.c.d', 'x.a.b-c.d', 'x.a.control.b', 'x.a.control', 'x.a-.control.b.c', 'x..b.c', 'dev.aep.tool.a',
  '2026-01-01T00:00:00Z', '2026-01-01t00:00:00z', '2026-02-29T00:00:00Z', '2024-02-29T00:00:00Z', '1900-02-29T00:00:00Z', '2000-02-29T00:00:00Z', '0000-02-29T00:00:00Z', '2026-04-31T00:00:00Z',
  '2026-13-01T00:00:00Z', '2026-00-01T00:00:00Z', '2026-01-00T00:00:00Z', '2026-01-32T00:00:00Z', '2016-12-31T23:59:60Z', '2017-01-01T00:59:60+01:00', '2016-12-31T23:59:61Z', '2016-12-31T24:00:00Z',
  '2026-01-01 00:00:00Z', '2026-01-01T00:00:00', '2026-01-01T00:00Z', '2026-01-01T00:00:00.Z', '2026-01-01T00:00:00,5Z', `2026-01-01T00:00:00.${'1'.repeat(30)}Z`, '2026-01-01T00:00:00+0100', '2026-01-01T00:00:00+24:00',
  '2026-01-01T00:00:00-00:00', '2026-01-01T00:00:00Z\n', ' 2026-01-01T00:00:00Z', '+12026-01-01T00:00:00Z', '２０２６-01-01T00:00:00Z', '2026-01-01T00:00:00Zz', '2026-1-1T0:0:0Z',
  'aep://h', 'a:', ':a', '1a:b', 'a b:c', 'a:b c', 'a:\tb', 'a:b\u0000', 'a:b\u007f', 'a:b\u0085', 'a:b\u00a0', 'a:b\u2003', 'a:b\u2028', 'a:b\ufeff', 'a:b\u3000', 'a:ü', 'a:\u{1f600}', 'a:b\n', 'no-scheme', '//h/p', 'a+b.c-d:e', 'é:x', 'aep:"<>\\^`{|}',
  'info', 'INFO', 'fatal', 'metadata', 'none', 'all', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', '00-0AF7651916CD43DD8448EB211C80319C-B7AD6B7169203331-01', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\n',
];

/** Names beside the core attributes, legal and not. */
export const ODD_NAMES: readonly string[] = [
  '', ' ', 'a', '0', '12', 'acme', 'Acme', 'acme_x', 'acme-x', 'a.b', 'abcdefghijklmnopqrst', 'abcdefghijklmnopqrstu', 'é', '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', 'length', 'Data', 'SEQ', 'seq ', 'acme\n',
];
