// Ratios of one run; asserts nothing. Run after a build: node bench/weida-codec.bench.mjs [--json] [--smoke]
// Decoders and encoders of the golden DATA and SUBSCRIBE headers (14 octets each) against cborg and cbor-x, which check less,
// and against a bare copy of the octets; filters against cutting both sides at their dots.
import { decode as cborgDecode, encode as cborgEncode } from 'cborg';
import { Decoder, Encoder } from 'cbor-x';

import { openBench, size } from '../../../bench/lib/bench.mjs';
import { decodeHeader, encodeHeader, TopicFilter, TopicFilterIndex } from '../dist/index.js';

const bench = openBench('weida-codec');
const ROUNDS = size(101, 5);
const CALLS = size(20_000, 2000);

let sink;

/** Nanoseconds per call of each, best of interleaved rounds: the machine may be busy. */
function measure(calls) {
  const best = Object.fromEntries(Object.keys(calls).map((name) => [name, Infinity]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, call] of Object.entries(calls)) {
      const start = process.hrtime.bigint();
      for (let i = 0; i < CALLS; i++) sink = call(i);
      best[name] = Math.min(best[name], Number(process.hrtime.bigint() - start) / CALLS);
    }
  }
  return best;
}

const octets = (hex) => Uint8Array.from(hex.match(/../g), (pair) => Number.parseInt(pair, 16));
const objects = new Decoder({ mapsAsObjects: true, useRecords: false });
const maps = new Decoder({ mapsAsObjects: false, useRecords: false });
const encoder = new Encoder({ mapsAsObjects: false, useRecords: false });
const lenient = { useMaps: true };
const strict = { useMaps: true, strict: true, allowIndefinite: false, rejectDuplicateMapKeys: true };

const HEADERS = {
  DATA: [octets('a200632f6d64056670782e657572'), { kind: 'DATA', endpoint: '/md', topic: 'px.eur' }, new Map([[0, '/md'], [5, 'px.eur']])],
  SUBSCRIBE: [octets('a200632f6d64016670782e657572'), { kind: 'SUBSCRIBE', endpoint: '/md', filter: 'px.eur' }, new Map([[0, '/md'], [1, 'px.eur']])],
};

/** Prints what each took, for people. */
function show(title, best) {
  bench.say(title);
  for (const [name, ns] of Object.entries(best)) bench.say(`  ${name.padEnd(20)} ${ns.toFixed(1).padStart(8)} ns`);
}

for (const [kind, [header, frame, map]] of Object.entries(HEADERS)) {
  const decode = measure({
    ours: () => decodeHeader(kind, header),
    'cbor-x, maps': () => maps.decode(header),
    'cbor-x, objects': () => objects.decode(header),
    cborg: () => cborgDecode(header, lenient),
    'cborg, strict': () => cborgDecode(header, strict),
    'bare copy': () => header.slice(),
  });
  const encode = measure({
    ours: () => encodeHeader(frame),
    'cbor-x': () => encoder.encode(map),
    cborg: () => cborgEncode(map),
    'bare copy': () => header.slice(),
  });
  const fastest = (best) => Math.min(...Object.entries(best).filter(([name]) => name.startsWith('cbor')).map(([, ns]) => ns));
  show(`decode ${kind}`, decode);
  show(`encode ${kind}`, encode);
  bench.row(`decode ${kind}: speed against the fastest library`, fastest(decode) / decode.ours, { atLeast: 1 });
  bench.row(`decode ${kind}: time against a bare copy`, decode.ours / decode['bare copy']);
  bench.row(`encode ${kind}: speed against the fastest library`, fastest(encode) / encode.ours);
  bench.row(`encode ${kind}: time against a bare copy`, encode.ours / encode['bare copy']);
}

/** What a filter costs that is cut at its dots for each topic. */
function cut(filter, topic) {
  const wanted = filter === '' ? ['#'] : filter.split('.');
  const given = topic.split('.');
  for (let i = 0; i < wanted.length; i++) {
    if (wanted[i] === '#') return true;
    if (i >= given.length || (wanted[i] !== '*' && wanted[i] !== given[i])) return false;
  }
  return wanted.length === given.length;
}

const TOPICS = ['px.eur', 'px.usd.spot', 'sensors.1.temp', 'sensors.a.b.temp', 'ctl.stop.now', 'orders.eu.42.filled'];
for (const text of ['sensors.*.temp', 'ctl.#', 'px.eur']) {
  const filter = TopicFilter.parse(text);
  const pattern = new RegExp(`^${text.replaceAll('.', '\\.').replaceAll('*', '[^.]*').replace(/\\\.#$/, '(?:\\..*)?')}$`, 's');
  const best = measure({
    ours: (i) => filter.matches(TOPICS[i % TOPICS.length]),
    'cut at dots': (i) => cut(text, TOPICS[i % TOPICS.length]),
    'regular expression': (i) => pattern.test(TOPICS[i % TOPICS.length]),
    'bare comparison': (i) => TOPICS[i % TOPICS.length] === text,
  });
  show(`match ${text}`, best);
  bench.row(`match ${text}: speed against a regular expression`, best['regular expression'] / best.ours);
  bench.row(`match ${text}: time against a bare comparison`, best.ours / best['bare comparison']);
}

const indexOf = (count) => {
  const index = new TopicFilterIndex();
  for (let i = 0; i < count; i++) index.add(TopicFilter.parse(`s${i}.*.temp`), i);
  for (const text of ['sensors.*.temp', 'px.#']) index.add(TopicFilter.parse(text), text);
  return index;
};
const [few, many] = [indexOf(20), indexOf(size(10_000, 200))];
const index = measure({ '20 filters': (i) => few.match(TOPICS[i % TOPICS.length]), '10,000 filters': (i) => many.match(TOPICS[i % TOPICS.length]) });
show('index', index);
bench.row('index: time with 10,000 filters against 20, equal matches', index['10,000 filters'] / index['20 filters'], { atMost: 1.5 });
bench.done();

// What was made is looked at, so that it has to be made.
if (sink === Symbol.for('never')) bench.say(String(sink));
