import type { FollowItem } from '@aepkit/binding-jsonl/follow';
import type { Capture, WireEvent } from '@aepkit/envelope';
import { gate } from '@aepkit/taxonomy';

import { eventLine } from './event-line.js';
import { localFilter } from './export-source.js';
import { issueText } from './issue-text.js';
import { counted } from './progress.js';
import { print, say } from './stdout.js';
import { painter, plain } from './terminal.js';

/** What is shown of logs, and how. */
export interface LogViewOptions {
  /** In attr-match. */
  readonly filter: string | undefined;
  readonly capture: Capture | undefined;
  readonly json: boolean;
  /** Events, after which the view is full. */
  readonly count: number;
}

/** Versions that were reported, at most; beyond it one may be reported again. */
const MAX_REPORTED = 1000;

/** Shows Events of logs on standard output, and what else happens to the logs on standard error. */
export class LogView {
  readonly #options: LogViewOptions;
  readonly #matches: (wire: WireEvent) => boolean;
  readonly #paint = painter(process.stdout);
  readonly #reported = new Set<string>();
  #shown = 0;
  #bad = 0;

  constructor(options: LogViewOptions) {
    this.#options = options;
    this.#matches = localFilter(options.filter);
  }

  get full(): boolean {
    return this.#shown >= this.#options.count;
  }

  get empty(): boolean {
    return this.#shown === 0;
  }

  wants(wire: WireEvent): boolean {
    return this.#matches(wire);
  }

  /** Shows an Event that is wanted. */
  async show(wire: WireEvent): Promise<void> {
    const { capture, json } = this.#options;
    const { event, json: text } = capture === undefined ? wire : gate(wire, capture);
    await print(json ? text : eventLine(event, this.#paint));
    this.#shown += 1;
  }

  /** Says what is no Event. `log` is the path under which it is followed. */
  note(log: string, item: FollowItem): void {
    switch (item.type) {
      case 'bad':
        this.#bad += 1;
        say(plain(`${log}:${item.line}: no Event: ${issueText(item)}`));
        break;
      case 'skipped-version':
        this.#once(`${log}\n${item.version}`, `${log}:${item.line}: version ${JSON.stringify(item.version)} of the protocol is not read here; lines of it are left out`);
        break;
      case 'missing':
        say(plain(`waiting for ${log}`));
        break;
      case 'truncated':
        say(plain(`${log} was cut or written anew; going on from its beginning`));
        break;
      case 'lost':
        say(plain(item.offset > 0 ? `${log} was replaced or removed since the last run; going on from its beginning, what was written before may be missing` : `an older file of ${log} was removed before it could be read; its Events are missing`));
        break;
      case 'polling':
        this.#once(`polling ${item.directory}`, `the system does not report changes in ${item.directory}; looking every second`);
        break;
      default:
    }
  }

  /** Says once of a log that it cannot be read. */
  unreadable(log: string, reason: string): void {
    this.#once(`unreadable ${log}`, reason);
  }

  end(): void {
    if (this.#bad > 0) say(`${counted(this.#bad, 'bad line')} in all`);
  }

  #once(key: string, text: string): void {
    if (this.#reported.has(key)) return;
    if (this.#reported.size >= MAX_REPORTED) this.#reported.clear();
    this.#reported.add(key);
    say(plain(text));
  }
}
