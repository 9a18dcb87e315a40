import { createReadStream } from 'node:fs';

import type { AepEvent } from '@aepkit/envelope';
import { StreamValidator } from '@aepkit/taxonomy';

import { eventIssues } from '../event-issues.js';
import { EXIT } from '../exit-code.js';
import { issueText } from '../issue-text.js';
import { counted } from '../progress.js';
import { readLines } from '../read-lines.js';
import { print, say } from '../stdout.js';
import { plain } from '../terminal.js';

/** Options of `aep validate`. */
export interface ValidateOptions {
  readonly json?: boolean;
  readonly stream?: boolean;
  readonly maxLineBytes?: number;
}

interface Finding {
  readonly line: number;
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly path: string;
  readonly message: string;
}

/**
 * Checks a file of Events: envelope, payload, what an emitter must not send, and the rules of a stream. Gives 0 where no error was
 * found, 1 otherwise; warnings alone are no failure.
 */
export async function validate(file: string, options: ValidateOptions): Promise<number> {
  const stream = options.stream === false ? undefined : new StreamValidator();
  const lineOf = new Map<string, number>();
  let events = 0;
  const found = { error: 0, warning: 0 };
  let last = 0;
  const report = async (finding: Finding): Promise<void> => {
    found[finding.severity] += 1;
    await print(options.json === true ? JSON.stringify(finding) : text(file, finding));
  };
  const input = file === '-' ? process.stdin : createReadStream(file);
  const bounds = options.maxLineBytes === undefined ? {} : { maxLineBytes: options.maxLineBytes };
  for await (const line of readLines(input, file, bounds)) {
    last = line.number;
    if (line.type === 'blank') {
      await report({ line: line.number, severity: 'warning', code: 'blank-line', path: '$', message: 'a log has no blank lines' });
      continue;
    }
    if (line.type === 'mark') {
      await report({ line: line.number, severity: 'warning', code: 'byte-order-mark', path: '$', message: 'the file begins with a byte-order mark' });
      continue;
    }
    if (line.type === 'bad') {
      await report({ line: line.number, severity: 'error', code: line.code, path: line.path, message: line.message });
      continue;
    }
    events += 1;
    const { event } = line.event;
    remember(lineOf, event, line.number);
    for (const finding of findings(event, stream, line.number)) await report(finding);
  }
  for (const issue of stream?.end() ?? []) {
    const at = lineOf.get(issue.eventId);
    await report({ line: at ?? last, severity: issue.severity, code: issue.code, path: issue.path ?? '$', message: issue.message });
  }
  say(`${counted(events, 'Event')}, ${counted(found.error, 'error')}, ${counted(found.warning, 'warning')}`);
  return found.error === 0 ? EXIT.ok : EXIT.failure;
}

function findings(event: AepEvent, stream: StreamValidator | undefined, line: number): Finding[] {
  const found: Finding[] = eventIssues(event).map(({ severity, code, path, message }) => ({ line, severity, code, path, message }));
  for (const issue of stream?.push(event) ?? []) {
    found.push({ line, severity: issue.severity, code: issue.code, path: issue.path ?? '$', message: issue.message });
  }
  return found;
}

// Enough to name the line of a request that was never closed, without holding a whole log.
const MAX_REMEMBERED = 1_000_000;

function remember(lineOf: Map<string, number>, event: AepEvent, line: number): void {
  if (event.type === 'attention.requested' && lineOf.size < MAX_REMEMBERED) lineOf.set(event.id, line);
}

function text(file: string, finding: Finding): string {
  return plain(`${file === '-' ? 'stdin' : file}:${finding.line}: ${finding.severity}: ${issueText(finding)}`);
}

