// What every benchmark shares: flags, rows, and the load they were measured under.
//
//   node some.bench.mjs            prints text for people
//   node some.bench.mjs --json     prints one JSON object on standard output, and the text on standard error
//   node some.bench.mjs --smoke    tiny sizes: whether it runs, and nothing about speed
import { loadavg } from 'node:os';

/** `true`: sizes that take a moment; figures of no meaning. */
export const smoke = process.argv.includes('--smoke');
const json = process.argv.includes('--json');

/** Arguments that are no flags of the protocol. */
export const args = process.argv.slice(2).filter((arg) => arg !== '--smoke' && arg !== '--json');

/** The size to use: `full`, or `tiny` in a smoke run. */
export const size = (full, tiny) => (smoke ? tiny : full);

/**
 * Opens a benchmark. `say` prints text. `row` records one figure, always a ratio of two things measured in turns in this run or
 * a size, with its target where DESIGN has one: `atLeast` or `atMost`. `done` prints the rows where `--json` asked for them.
 */
export function openBench(name) {
  const rows = [];
  const print = (text) => (json ? process.stderr : process.stdout).write(`${text}\n`);
  return {
    say: print,
    row(title, measured, { unit = '×', atLeast, atMost, note } = {}) {
      // Tiny sizes may take no time that a clock sees.
      if (!smoke && !Number.isFinite(measured)) throw new Error(`${title}: no figure`);
      const value = Number.isFinite(measured) ? measured : 0;
      const met = atLeast !== undefined ? value >= atLeast : atMost !== undefined ? value <= atMost : undefined;
      const row = { bench: name, row: title, value: Number(value.toPrecision(4)), unit, atLeast, atMost, met, note, load: Number(loadavg()[0].toFixed(1)) };
      rows.push(row);
      print(`${title}: ${show(row)}${target(row) === '' ? '' : `, target ${target(row)}: ${met ? 'met' : 'missed'}`}${note === undefined ? '' : ` (${note})`}`);
    },
    done() {
      if (json) process.stdout.write(`${JSON.stringify({ bench: name, node: process.version, smoke, rows })}\n`);
    },
  };
}

/** The figure of a row with its unit. */
export const show = ({ value, unit }) => (unit === '×' ? `${value.toFixed(2)}×` : `${value >= 100 ? Math.round(value) : value.toFixed(2)} ${unit}`);

/** The target of a row as text, empty where there is none. */
export const target = ({ atLeast, atMost }) => (atLeast !== undefined ? `≥ ${atLeast}` : atMost !== undefined ? `≤ ${atMost}` : '');

/** The middle one. */
export const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** Processor time of this process since `from`, all threads, in microseconds. */
export function cpuSince(from) {
  const { user, system } = process.cpuUsage(from);
  return user + system;
}

/**
 * Runs the sides in turns, many short rounds, and gives the median time per item of each, in nanoseconds of wall and of
 * processor time. What else the machine does hits all sides alike, and a median forgets a burst.
 */
export async function inTurns(rounds, count, sides) {
  const wall = sides.map(() => []);
  const cpu = sides.map(() => []);
  for (let round = -1; round < rounds; round += 1) {
    for (const [at, run] of sides.entries()) {
      const from = process.cpuUsage();
      const start = performance.now();
      const made = run();
      if (made instanceof Promise) await made;
      const ms = performance.now() - start;
      // The round ahead of the first one warms up.
      if (round < 0) continue;
      wall[at].push((ms * 1e6) / count);
      cpu[at].push((cpuSince(from) * 1e3) / count);
    }
  }
  return sides.map((_, at) => ({ wall: median(wall[at]), cpu: median(cpu[at]) }));
}
