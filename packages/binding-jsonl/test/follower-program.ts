import { followJsonl } from '../src/follow.js';

// Follows a file and prints a line per item: how many Events there were, and the id; or what else it was.
const [path = '', how = ''] = process.argv.slice(2);
const quietly = how === 'polling' ? { watch: false as const, pollMs: 20 } : {};
const stopping = new AbortController();
process.stdin.on('end', () => {
  stopping.abort();
});
process.stdin.resume();
let count = 0;
for await (const item of followJsonl(path, { ...quietly, lateMs: 60_000, maxLateFiles: 64, signal: stopping.signal })) {
  if (item.type === 'event') process.stdout.write(`${String(++count)} ${item.event.event.id}\n`);
  else process.stdout.write(`! ${item.type}\n`);
}
