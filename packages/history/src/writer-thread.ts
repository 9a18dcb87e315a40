import { parentPort, workerData } from 'node:worker_threads';
import type { WriterOptions } from './connection.js';
import { historyError } from './errors.js';
import type { Answer, Request } from './thread-messages.js';
import { Writer } from './writer.js';

const port = parentPort;
if (port === null) throw new Error('this file is the start of a worker thread');
const options = workerData as WriterOptions;

const answer = (message: Answer, transfer: ArrayBuffer[] = []): void => {
  port.postMessage(message, transfer);
};
const fail = (error: unknown): void => {
  const { code, message } = historyError(error, options.path);
  answer({ type: 'failed', code, message });
};

try {
  const writer = new Writer(options);
  answer({ type: 'ready', mark: writer.mark });
  port.on('message', (request: Request) => {
    try {
      switch (request.type) {
        case 'commit': {
          const outcome = writer.commit(request.group);
          answer({ type: 'outcome', outcome }, [outcome.admissions.buffer as ArrayBuffer]);
          writer.checkpoint();
          break;
        }
        case 'index':
          writer.index();
          answer({ type: 'indexed', indexed: writer.indexed });
          break;
        case 'close':
          writer.close();
          answer({ type: 'closed' });
          port.close();
          break;
      }
    } catch (error) {
      fail(error);
    }
  });
} catch (error) {
  fail(error);
}
