import type { WriterOptions } from './connection.js';
import type { Engine } from './engine.js';
import { historyError } from './errors.js';
import { Writer } from './writer.js';

/** Commits in the thread of the caller, behind all input of the turn. */
export function inlineEngine(options: WriterOptions): Engine {
  let writer: Writer;
  try {
    writer = new Writer(options);
  } catch (error) {
    throw historyError(error, options.path);
  }
  return {
    mark: writer.mark,
    commit(group, done) {
      setImmediate(() => {
        done(writer.commit(group));
        writer.checkpoint();
      });
    },
    index() {
      return new Promise((resolve) => {
        writer.index();
        resolve(writer.indexed);
      });
    },
    close() {
      writer.close();
      return Promise.resolve();
    },
  };
}
