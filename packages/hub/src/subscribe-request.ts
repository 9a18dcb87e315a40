import { compileFilter, type Filter, FilterError, parseFilter } from '@aepkit/attr-match';
import { type Capture, CAPTURES, comparePositions, parseJson, type Position } from '@aepkit/envelope';
import type { FilterRequest, SubscribeRequest } from './connection.js';
import type { Ceiling, ReplayFrom } from './contracts.js';
import { HubError } from './errors.js';
import type { ResolvedOptions } from './options.js';

/** A request that was found good. */
export interface CheckedRequest {
  readonly id: string;
  readonly filter: Filter;
  readonly ceiling: Ceiling;
  /** `undefined`: nothing to replay. */
  readonly from: ReplayFrom | undefined;
  readonly live: boolean;
}

const MATCH_ALL: Filter = compileFilter({});
/** `[{"session":…}]` is two deep. */
const FROM_DEPTH = 8;

/**
 * Reads and checks a subscription request as a whole: it is refused or taken, never taken in part (AEP-0003 §6.5).
 * Throws {@link HubError} with `invalid-filter` or `limit-exceeded`.
 */
export function checkRequest(request: SubscribeRequest, options: ResolvedOptions): CheckedRequest {
  const id = checkId(request.id, options.maxIdLength);
  const filter = request.filter === undefined ? MATCH_ALL : checkFilter(request.filter, options);
  const ceiling = checkCapture(request.capture);
  const from = pinned(checkFrom(request.from, options), filter);
  return { id, filter, ceiling, from, live: request.live !== false };
}

function checkId(id: unknown, max: number): string {
  if (typeof id !== 'string' || id === '') throw new HubError('invalid-filter', 'id: expected a string that is not empty');
  if (id.length > max) throw new HubError('limit-exceeded', `id: longer than ${String(max)}`);
  return id;
}

function checkFilter(request: FilterRequest, options: ResolvedOptions): Filter {
  const limits = { maxTextBytes: options.maxFilterBytes, maxKeys: options.maxFilterKeys, maxValues: options.maxFilterValues };
  try {
    return 'text' in request ? parseFilter(request.text, limits) : compileFilter(request.value, limits);
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    throw new HubError(error.wireCode, `filter: ${error.message}`, { cause: error });
  }
}

function checkCapture(capture: unknown): Ceiling {
  if (capture === undefined) return undefined;
  // A ceiling that is ignored widens delivery, so an unknown one is refused.
  if (!CAPTURES.includes(capture as Capture)) throw new HubError('invalid-filter', `capture: expected one of ${CAPTURES.join(', ')}`);
  return capture as Capture;
}

function checkFrom(from: unknown, options: ResolvedOptions): ReplayFrom | undefined {
  if (from === undefined) return undefined;
  let value: unknown = from;
  if (isRecord(from) && typeof from.text === 'string') value = from.text === 'all' ? 'all' : parsePositions(from.text);
  else if (isRecord(from) && Object.hasOwn(from, 'value')) value = from.value;
  if (value === 'all') {
    if (!options.replayAll) throw new HubError('invalid-filter', 'from: "all" is not offered here');
    return { type: 'all' };
  }
  if (!Array.isArray(value)) throw new HubError('invalid-filter', 'from: expected "all" or an array of positions');
  if (value.length > options.maxPositions) {
    throw new HubError('limit-exceeded', `from: ${String(value.length)} positions, at most ${String(options.maxPositions)}`);
  }
  return { type: 'positions', positions: lowest(value.map(checkPosition)) };
}

/** As text, `all` is a bare word; in quotes it is no list of positions. */
function parsePositions(text: string): unknown {
  try {
    const value = parseJson(text, { maxDepth: FROM_DEPTH });
    return value === 'all' ? undefined : value;
  } catch (error) {
    throw new HubError('invalid-filter', `from: ${error instanceof Error ? error.message : 'not JSON'}`, { cause: error });
  }
}

function checkPosition(member: unknown, i: number): Position {
  const place = `from[${String(i)}]`;
  if (!isRecord(member)) throw new HubError('invalid-filter', `${place}: expected an object`);
  const session = own(member, 'session');
  if (typeof session !== 'string' || session === '') {
    throw new HubError('invalid-filter', `${place}.session: expected a string that is not empty`);
  }
  return { session, epoch: checkCount(member, 'epoch', place), seq: checkCount(member, 'seq', place) };
}

function checkCount(member: Record<string, unknown>, name: 'epoch' | 'seq', place: string): number {
  const value = own(member, name);
  if (!Number.isSafeInteger(value) || (value as number) < 0) {
    throw new HubError('invalid-filter', `${place}.${name}: expected an integer of at least 0`);
  }
  return (value as number) + 0;
}

/** A session named twice is resumed from the lower position: too much is legal, too little is a loss. */
function lowest(positions: readonly Position[]): readonly Position[] {
  const bySession = new Map<string, Position>();
  for (const position of positions) {
    const known = bySession.get(position.session);
    if (known === undefined || comparePositions(position, known) < 0) bySession.set(position.session, position);
  }
  return [...bySession.values()];
}

/** Sessions that the filter shuts out are not replayed, and what is held of them is not told by a marker either. */
function pinned(from: ReplayFrom | undefined, filter: Filter): ReplayFrom | undefined {
  if (from?.type !== 'positions') return from;
  const { sessions } = filter;
  const positions = sessions === undefined ? from.positions : from.positions.filter(({ session }) => sessions.has(session));
  return positions.length === 0 ? undefined : { type: 'positions', positions };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function own(record: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
