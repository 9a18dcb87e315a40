import type { Choice, FieldSpec } from '@aepkit/taxonomy';

import type { RequestMemory, SessionNote } from './epoch-store.js';

/** What the notes of a session add up to. */
export interface NotedSession {
  session: string;
  source: string;
  ended: boolean;
  readonly closedRuns: Set<string>;
  readonly requests: Map<string, RequestMemory>;
}

/** First line of a file of notes. */
export function headerLine(session: string, source: string): string {
  return line({ type: 'session', session, source });
}

export function noteLine(note: SessionNote): string {
  return line(note);
}

/** The file that holds as much in as few lines. */
export function compacted({ session, source, ended, closedRuns, requests }: NotedSession): string {
  return [
    headerLine(session, source),
    ...[...closedRuns].map((run) => noteLine({ type: 'run-closed', run })),
    ...[...requests.values()].map((request) => noteLine({ type: 'requested', request })),
    ...(ended ? [noteLine({ type: 'ended' })] : []),
  ].join('');
}

/** Reads a file of notes; `undefined` where it is not one of this session. A line that a crash left half is passed over. */
export function readNotes(text: string, session: string, maxClosedRuns: number): NotedSession | undefined {
  const noted: NotedSession = { session: '', source: '', ended: false, closedRuns: new Set(), requests: new Map() };
  for (const part of text.split('\n')) {
    const value = parse(part);
    if (value === undefined) continue;
    const { type } = value;
    if (type === 'session' && typeof value.session === 'string' && typeof value.source === 'string') {
      noted.session = value.session;
      noted.source = value.source;
    } else if (type === 'ended') noted.ended = true;
    else if (type === 'run-closed' && typeof value.run === 'string') {
      noted.closedRuns.add(value.run);
      if (noted.closedRuns.size > maxClosedRuns) for (const oldest of noted.closedRuns) {
        noted.closedRuns.delete(oldest);
        break;
      }
    } else if (type === 'requested') {
      const request = requestOf(value.request);
      if (request !== undefined) noted.requests.set(request.id, request);
    } else if (type === 'settled' && typeof value.id === 'string') noted.requests.delete(value.id);
  }
  return noted.session === session ? noted : undefined;
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

function requestOf(value: unknown): RequestMemory | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, kind, subject, run, options, fields } = value as Readonly<Record<string, unknown>>;
  if (typeof id !== 'string' || typeof kind !== 'string') return undefined;
  return {
    id,
    kind,
    ...(typeof subject === 'string' ? { subject } : {}),
    ...(typeof run === 'string' ? { run } : {}),
    ...(Array.isArray(options) ? { options: options as readonly Choice[] } : {}),
    ...(Array.isArray(fields) ? { fields: fields as readonly FieldSpec[] } : {}),
  };
}
