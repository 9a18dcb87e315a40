import { Worker } from 'node:worker_threads';
import type { WriterOptions } from './connection.js';
import type { Engine } from './engine.js';
import { HistoryError } from './errors.js';
import type { Answer, Request } from './thread-messages.js';

/** Starts the thread; tests put something else in its place. */
export type StartThread = (options: WriterOptions) => Worker;

type Settle = (answer: Answer) => void;

// Sources run only in tests of this package, and a thread gets no transform from a test runner.
const THREAD = new URL(import.meta.url.endsWith('.ts') ? '../dist/writer-thread.js' : './writer-thread.js', import.meta.url);

function startThread(options: WriterOptions): Worker {
  return new Worker(THREAD, { workerData: options, name: 'aepkit history' });
}

/**
 * Commits in a thread of its own. Should the thread die, what it was asked is answered with `unavailable` and the next request
 * starts another one. An idle store does not keep the process alive.
 */
export async function workerEngine(options: WriterOptions, start: StartThread = startThread): Promise<Engine> {
  let worker: Worker | undefined;
  let waiting: Settle[] = [];

  const died = (dead: Worker, says: string): void => {
    if (dead !== worker) return;
    worker = undefined;
    const asked = waiting;
    waiting = [];
    for (const settle of asked) settle({ type: 'failed', code: 'unavailable', message: `${options.path}: the writing thread ended: ${says}` });
  };

  const launch = (ready: Settle): Worker => {
    const thread = start(options);
    waiting = [ready];
    thread.on('message', (answer: Answer) => {
      const settle = waiting.shift();
      if (waiting.length === 0) thread.unref();
      settle?.(answer);
    });
    thread.on('error', (error: unknown) => {
      died(thread, error instanceof Error ? error.message : String(error));
    });
    thread.on('exit', (code) => {
      died(thread, `exit ${String(code)}`);
    });
    return thread;
  };

  const ask = (request: Request, settle: Settle): void => {
    worker ??= launch(() => undefined);
    waiting.push(settle);
    worker.ref();
    worker.postMessage(request);
  };

  const mark = await new Promise<number>((resolve, reject) => {
    worker = launch((answer) => {
      if (answer.type === 'ready') resolve(answer.mark);
      else reject(errorOf(answer));
    });
  });

  return {
    mark,
    commit(group, done) {
      ask({ type: 'commit', group }, (answer) => {
        done(answer.type === 'outcome' ? answer.outcome : errorOf(answer));
      });
    },
    index() {
      return new Promise((resolve, reject) => {
        ask({ type: 'index' }, (answer) => {
          if (answer.type === 'indexed') resolve(answer.indexed);
          else reject(errorOf(answer));
        });
      });
    },
    close() {
      return new Promise((resolve) => {
        ask({ type: 'close' }, () => {
          resolve();
        });
      });
    },
  };
}

function errorOf(answer: Answer): HistoryError {
  return answer.type === 'failed'
    ? new HistoryError(answer.code, answer.message)
    : new HistoryError('unavailable', `the writing thread answered ${answer.type}`);
}
