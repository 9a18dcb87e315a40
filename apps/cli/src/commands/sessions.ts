import { endpointOf, fetchJson } from '../endpoint.js';
import { CliError, EXIT } from '../exit-code.js';
import { print } from '../stdout.js';
import { clip, type Paint, painter, plain } from '../terminal.js';

/** Options of `aep sessions`. */
export interface SessionsOptions {
  readonly url?: string;
  readonly limit: number;
  readonly json?: boolean;
}

/** What the collector says of a session. */
export interface Summary {
  readonly source: string;
  readonly session: string;
  readonly agent: string;
  readonly firstTime: number;
  readonly lastTime: number;
  readonly count: number;
  readonly lastType: string;
  readonly ended: boolean;
}

const PAGE = 1000;

/** Lists the sessions a collector keeps, latest first. */
export async function sessions(options: SessionsOptions): Promise<number> {
  const endpoint = endpointOf(options.url);
  const found: Summary[] = [];
  let before: number | undefined;
  do {
    const limit = Math.min(PAGE, options.limit - found.length);
    const page = await fetchJson(endpoint, `sessions?limit=${limit}${before === undefined ? '' : `&before=${before}`}`, { missing: 'has no list of sessions' });
    const { sessions: list, next } = page as { sessions?: unknown; next?: number };
    if (!Array.isArray(list)) throw new CliError(`${endpoint.url} is no collector: its list of sessions is not one`);
    found.push(...(list as Summary[]));
    before = next;
  } while (before !== undefined && found.length < options.limit);
  const lines = options.json === true ? found.map((session) => JSON.stringify(session)) : sessionLines(found, painter(process.stdout), process.stdout.isTTY);
  for (const text of lines) await print(text);
  return EXIT.ok;
}

/** A line per session. Heads are for people: in a pipe every line is a session. */
export function sessionLines(found: readonly Summary[], paint: Paint, heads: boolean): string[] {
  const lines = found.map((session) => line(session, paint));
  if (heads && lines.length > 0) lines.unshift(paint.dim(HEADS));
  return lines;
}

const HEADS = `${'last event'.padEnd(19)}  state   ${'kept'.padStart(6).padEnd(13)}  ${'agent'.padEnd(16)}  session  last type`;

function line({ session, agent, lastTime, count, lastType, ended }: Summary, paint: Paint): string {
  const state = ended ? paint.dim('ended ') : paint.bold('active');
  // Local time, as `tail` shows it; the Swedish form is the one that sorts.
  const time = new Date(lastTime).toLocaleString('sv-SE');
  return `${time}  ${state}  ${String(count).padStart(6)} events  ${clip(plain(agent), 16).padEnd(16)}  ${plain(session)}  ${paint.dim(plain(lastType))}`;
}
