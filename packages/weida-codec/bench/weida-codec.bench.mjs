// Prints ratios of one run; asserts nothing. Run after a build: node bench/weida-codec.bench.mjs [--json] [--smoke]
// Decoders and encoders of the golden DATA and SUBSCRIBE headers (14 octets each) against cborg and cbor-x, which check less,
// and against a bare copy of the octets; filters against cutting both sides at their dots.
import { decode as cborgDecode, encode as cborgEncode } from 'cborg';
import { Decoder, Encoder } from 'cbor-x';

import { decodeHeader, encodeHeader, TopicFilter, TopicFilterIndex } from '../dist/index.js';

const json = process.argv.includes('--json');
const smoke = process.argv.includes('--smoke');
const ROUNDS = smoke ? 5 : 101;
const CALLS = smoke ? 2000 : 20_000;

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

const rows = [];
const show = [];
function add(row, ratio, target) {
  rows.push({ row, ratio: Number(ratio.toFixed(2)), ...(target === undefined ? {} : { target }), unit: 'times' });
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
  add(`decode ${kind}: speed against the fastest library`, fastest(decode) / decode.ours, 1);
  add(`decode ${kind}: time against a bare copy`, decode.ours / decode['bare copy']);
  add(`encode ${kind}: speed against the fastest library`, fastest(encode) / encode.ours);
  add(`encode ${kind}: time against a bare copy`, encode.ours / encode['bare copy']);
  show.push([`decode ${kind}`, decode], [`encode ${kind}`, encode]);
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
  add(`match ${text}: speed against a regular expression`, best['regular expression'] / best.ours);
  add(`match ${text}: time against a bare comparison`, best.ours / best['bare comparison']);
  show.push([`match ${text}`, best]);
}

const indexOf = (count) => {
  const index = new TopicFilterIndex();
  for (let i = 0; i < count; i++) index.add(TopicFilter.parse(`s${i}.*.temp`), i);
  for (const text of ['sensors.*.temp', 'px.#']) index.add(TopicFilter.parse(text), text);
  return index;
};
const [few, many] = [indexOf(20), indexOf(smoke ? 200 : 10_000)];
const index = measure({ '20 filters': (i) => few.match(TOPICS[i % TOPICS.length]), '10,000 filters': (i) => many.match(TOPICS[i % TOPICS.length]) });
add('index: time with 10,000 filters against 20, equal matches', index['10,000 filters'] / index['20 filters'], 1.5);
show.push(['index', index]);

if (json) console.log(JSON.stringify({ name: 'weida-codec', rows }));
else {
  for (const [title, best] of show) {
    console.log(title);
    for (const [name, ns] of Object.entries(best)) console.log(`  ${name.padEnd(20)} ${ns.toFixed(1).padStart(8)} ns`);
  }
  for (const { row, ratio, target } of rows) console.log(`${row}: ${ratio}${target === undefined ? '' : ` (target ${target})`}`);
}
if (sink === Symbol.for('never')) console.log(sink);
