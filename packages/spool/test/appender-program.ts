// Appends `{name}:{n}` for ever, and says each one that is acknowledged.
import { openSpool } from '../src/index.js';

const [path = '', name = '', count = 'Infinity'] = process.argv.slice(2);
const spool = await openSpool({ path });
for (let n = 0; n < Number(count); n += 1) {
  await spool.append([{ text: `${name}:${n}` }]);
  process.stdout.write(`${name}:${n}\n`);
}
