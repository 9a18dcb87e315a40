// A consumer that may be killed at any moment and goes on where it stopped: every event it processes is one line of a journal, with the
// cursor behind it. `consumer-program JOURNAL FILTER [URL]`; without a URL it speaks over its own pipes. What happens is told on stderr.
import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { runConsumer, SubscriptionConsumer, type ConsumerItem, type FilterSource, type TextDuplex } from '@aepkit/subscription-model';

import { stdioDuplex } from './stdio.js';
import { openWebSocket } from './websocket.js';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'cancel-after': { type: 'string', default: 'Infinity' } } });
const [journal = 'journal.jsonl', filter = '{"types":"*"}', url] = positionals;
const tell = (line: string): void => void process.stderr.write(`${line}\n`);

/** The cursor of the last whole line: a torn one was not processed, and is taken out. */
function lastCursor(): string | undefined {
  if (!existsSync(journal)) return undefined;
  const bytes = readFileSync(journal);
  truncateSync(journal, bytes.lastIndexOf('\n') + 1);
  const last = bytes.toString().split('\n').at(-2);
  return last === undefined ? undefined : (JSON.parse(last) as { readonly cursor?: string }).cursor;
}

let processed = 0;
function handle(item: ConsumerItem): void {
  if (item.type === 'event') {
    const { message, cursor, mode } = item;
    appendFileSync(journal, `${JSON.stringify({ id: message.id, cursor, mode, sequence: message.delivery?.sequence })}\n`);
    consumer.processed(item);
    processed += 1;
    if (processed === Number(values['cancel-after'])) consumer.cancel(subscription);
  } else if (item.type === 'late') tell(`late ${item.message.id}`);
  else if (item.type === 'rejected') tell(`rejected ${item.error.message}`);
  else if (item.type === 'session-ended') tell(`session-ended ${item.state} ${item.reason ?? ''}`);
  else tell(item.type);
}

const duplex: TextDuplex = url === undefined ? stdioDuplex(process.stdin, process.stdout) : await openWebSocket(url);
const consumer = new SubscriptionConsumer({ source: 'agent:researcher', send: (text) => duplex.send(text), onItem: handle });
const cursor = lastCursor();
const subscription = consumer.subscribe({ ...(JSON.parse(filter) as FilterSource), ...(cursor === undefined ? {} : { from_cursor: cursor }) });
await runConsumer(consumer, duplex);
process.exit(0);
