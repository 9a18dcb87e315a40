// Draws epochs from a folder that other processes draw from at the same moment, and writes them to standard output.
import { fileEpochs } from '../dist/epoch-file.js';

const [path, count] = process.argv.slice(2);
// The clock would keep them apart most of the time.
const store = fileEpochs({ path, now: () => 0 });
const drawn = [];
for (let at = 0; at < Number(count); at += 1) drawn.push((await store.open('s', 'aep://h')).epoch);
process.stdout.write(`${drawn.join('\n')}\n`);
