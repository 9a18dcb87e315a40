// Ingest by POST against a bare node:http server that parses each line.
import { args, median, openBench, size } from './lib/bench.mjs';
import { load, startServer, warmUp } from './lib/http-load.mjs';

const ROUNDS = Number(args[0] ?? size(11, 1));
const SPAN_MS = Number(args[1] ?? size(500, 30));

const { say, row, done } = openBench('ingest');
const servers = [];
for (const mode of size(['bare', 'stub', 'relay', 'filtered', 'collector'], ['bare', 'relay', 'collector'])) servers.push(await startServer(mode));
const [, ...ours] = servers;

/** One Event per POST; 100 in a batch. What each side reaches, round by round. */
for (const [perBatch, title, targets] of [
  [100, 'NDJSON, 100 per POST', { relay: 0.75, collector: 0.3 }],
  [1, 'one Event per POST', { relay: 0.8 }],
]) {
  const found = new Map(servers.map(({ mode }) => [mode, []]));
  for (const server of servers) await warmUp(server, perBatch, { events: size(perBatch === 1 ? 20_000 : 150_000, 1), ms: size(4_000, SPAN_MS) });
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const server of servers) found.get(server.mode).push(await load(server, perBatch, SPAN_MS));
  }
  const ratio = (mode, measure) => median(found.get(mode).map((reached, round) => reached[measure] / found.get('bare')[round][measure]));
  const rate = (mode, measure) => Math.round(median(found.get(mode).map((each) => each[measure])) / 1000);
  say(`${title}: bare ${rate('bare', 'wall')} k Events/s, ${rate('bare', 'cpu')} k per second of processor time`);
  for (const { mode } of ours) {
    const note = `by processor time ${ratio(mode, 'cpu').toFixed(2)}×, without the system's part ${ratio(mode, 'user').toFixed(2)}×; ${rate(mode, 'wall')} k Events/s`;
    row(`${title}: ${names(mode)}`, ratio(mode, 'wall'), { ...(targets[mode] === undefined ? {} : { atLeast: targets[mode] }), note });
  }
}

function names(mode) {
  return { stub: 'binding alone', relay: 'relay', filtered: 'relay with a filtered consumer', collector: 'collector, durable' }[mode];
}

for (const server of servers) server.stop();
done();
