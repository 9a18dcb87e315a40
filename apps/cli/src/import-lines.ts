import { createReadStream } from 'node:fs';
import { addAbortSignal } from 'node:stream';

import { type JsonlItem, JsonlReader } from '@aepkit/binding-jsonl/reader';
import type { WireEvent } from '@aepkit/envelope';

import { causeOf } from './endpoint.js';
import { CliError, EXIT } from './exit-code.js';
import type { LogFiles, LogGroup } from './import-files.js';
import { issueText } from './issue-text.js';

/** Where a line stands. */
export interface LinePlace {
  readonly file: string;
  readonly line: number;
}

/** A line of a log, as an import sees it. */
export type ImportLine = LinePlace &
  (
    | { readonly type: 'event'; readonly event: WireEvent }
    /** It is no Event, or one of a version that is not read here. */
    | { readonly type: 'bad'; readonly reason: string }
    /** More lines of versions that are not read, in all the file. */
    | { readonly type: 'skipped'; readonly count: number }
  );

const STEP_BYTES = 65_536;
const LINE_FEED = Uint8Array.of(0x0a);

/** The lines of a log: its files one behind the other. */
async function* linesOfLog(files: LogFiles, maxLineBytes: number, signal: AbortSignal): AsyncGenerator<ImportLine, void, void> {
  for (const file of files) {
    const reader = new JsonlReader({ maxLineBytes });
    let reported = 0;
    const lines = function* (items: readonly JsonlItem[]): Generator<ImportLine, void, void> {
      for (const item of items) {
        if (item.type === 'skipped-version') reported += 1;
        const line = lineOf(file, item);
        if (line !== undefined) yield line;
      }
    };
    // Input may never come, and a line may never end.
    const input: AsyncIterable<Uint8Array> = addAbortSignal(signal, file === '-' ? process.stdin : createReadStream(file));
    try {
      for await (const chunk of input) {
        for (let at = 0; at < chunk.length; at += STEP_BYTES) yield* lines(reader.push(chunk.subarray(at, at + STEP_BYTES)));
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Error && 'syscall' in error) throw new CliError(`cannot read ${file}: ${causeOf(error)}`, EXIT.usage);
      throw error;
    }
    // The log is not being written: what stands behind the last line feed is whole, or torn for good.
    if (reader.tail() !== undefined) yield* lines(reader.push(LINE_FEED));
    const skipped = reader.stats().skipped - reported;
    if (skipped > 0) yield { type: 'skipped', file, line: reader.line, count: skipped };
  }
}

function lineOf(file: string, item: JsonlItem): ImportLine | undefined {
  const { line } = item;
  switch (item.type) {
    case 'event':
      return { type: 'event', file, line, event: item.event };
    case 'bad':
      return { type: 'bad', file, line, reason: issueText(item) };
    case 'skipped-version':
      return { type: 'bad', file, line, reason: `version ${JSON.stringify(item.version)} of the protocol is not read here, nor are more lines of it` };
    default:
      // Blank lines, and what is tolerated.
      return undefined;
  }
}

interface Head {
  readonly lines: AsyncGenerator<ImportLine, void, void>;
  next: ImportLine & { readonly type: 'event' };
  time: number;
}

/**
 * The lines of logs that belong together, each log in its own order. Between them the time decides, so that a command, which is in the
 * log of who sent it, comes behind what it answered, and finds its anchor there. Ends early when the signal fires.
 */
export async function* readLogs(group: LogGroup, maxLineBytes: number, signal: AbortSignal): AsyncGenerator<ImportLine, void, void> {
  const [only] = group;
  if (only !== undefined && group.length === 1) return yield* linesOfLog(only, maxLineBytes, signal);
  const open = group.map((files) => linesOfLog(files, maxLineBytes, signal));
  try {
    const heads: Head[] = [];
    for (const source of open) {
      const next = yield* nextEvent(source);
      if (next !== undefined) heads.push({ lines: source, next, time: timeOf(next.event) });
    }
    while (heads.length > 0) {
      const first = heads.reduce((best, head) => (comesBefore(head, best) ? head : best));
      yield first.next;
      const next = yield* nextEvent(first.lines);
      if (next === undefined) heads.splice(heads.indexOf(first), 1);
      else Object.assign(first, { next, time: timeOf(next.event) });
    }
  } finally {
    for (const source of open) await source.return();
  }
}

/** The next Event of a log; what is none is passed on at once. */
async function* nextEvent(source: AsyncGenerator<ImportLine, void, void>): AsyncGenerator<ImportLine, (ImportLine & { readonly type: 'event' }) | undefined, void> {
  for (;;) {
    const step = await source.next();
    if (step.done === true) return undefined;
    if (step.value.type === 'event') return step.value;
    yield step.value;
  }
}

/** At one time, what has a position comes first: it is what the others are anchored at. */
function comesBefore(a: Head, b: Head): boolean {
  return a.time === b.time ? isPlaced(a) && !isPlaced(b) : a.time < b.time;
}

function isPlaced({ next }: Head): boolean {
  return Object.hasOwn(next.event.event, 'seq');
}

function timeOf({ event }: WireEvent): number {
  const time = Date.parse(event.time);
  // A leap second is a time as well, only not for Date.
  return Number.isNaN(time) ? Date.parse(event.time.replace(/:60/, ':59')) : time;
}
