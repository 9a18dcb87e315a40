import { captureOf, epochOf, isCommand, type AepEvent } from '@aepkit/envelope';

import { checkAck, noteCommand } from './check-acks.js';
import { checkAttention, checkAttentionLinks, openRequests } from './check-attention.js';
import { checkOrder } from './check-order.js';
import { checkSessionEnd, checkUnits } from './check-units.js';
import { typeEntry } from '../registry.js';
import { cut, fingerprint, keyOf, quoted } from './keys.js';
import type { StreamIssue } from './stream-issue.js';
import { resolveStreamOptions, type StreamOptions } from './stream-options.js';
import { find, sessionOf, streamState, type Finding, type KnownEvent, type Placed, type StreamState } from './stream-state.js';

/**
 * Checks what no single Event shows: order, ends, the attention lifecycle, answers to forms, acks (AEP-0001 §7.4, AEP-0002
 * §2.5 and §7, AEP-0004 §3). Envelope and payload are other verdicts: parse an Event before, and see {@link validatePayload}
 * and {@link checkEmission}.
 *
 * Redelivery is no fault: a repeat that equals the first copy as a JSON value is passed over. Sessions are told apart by
 * `(source, session)`. A check that needs an Event which is not in the stream is skipped. Numbers in `data` beyond 2^53 are
 * compared as doubles.
 *
 * What it remembers is bounded, see {@link StreamOptions}. Throws RangeError or TypeError for bad options.
 *
 * @example
 * const validator = new StreamValidator();
 * for (const event of events) for (const issue of validator.push(event)) report(issue);
 * for (const issue of validator.end()) report(issue);
 */
export class StreamValidator {
  readonly #state: StreamState;

  constructor(options: StreamOptions = {}) {
    this.#state = streamState(resolveStreamOptions(options));
  }

  /** Takes the next Event of the stream and gives what is wrong with it. */
  push(event: AepEvent): readonly StreamIssue[] {
    const state = this.#state;
    const finding: Finding = { event, level: captureOf(event), issues: [] };
    const key = keyOf(event.source, event.id);
    const print = fingerprint(event, state.options.merged);
    const known = state.events.get(key);
    if (known !== undefined) {
      if (known.fingerprint !== print) find(finding, 'id-collision', 'another Event of this source has the same id', '$.id');
      return finding.issues;
    }

    checkAttentionLinks(finding);
    noteCommand(state, finding);
    const place = placeOf(event);
    if (place !== undefined) {
      checkOrder(state, finding, place);
      checkUnits(state, finding, place);
      checkAttention(state, finding, place);
      checkAck(state, finding, place);
      checkSessionEnd(state, finding, place);
    }
    state.events.set(key, knownEvent(state, event, place, print));
    return finding.issues;
  }

  /** The stream is over: what can be said only now. */
  end(): readonly StreamIssue[] {
    const state = this.#state;
    const issues: StreamIssue[] = [];
    if (state.options.order === 'arrival') {
      for (const { request, id, source } of openRequests(state)) {
        issues.push({ code: 'open-attention', severity: 'error', message: `request ${quoted(request.id)} has no terminal`, source, eventId: id });
      }
    }
    const forgotten = this.forgotten;
    if (forgotten > 0) {
      const message = `limits were reached: ${forgotten} Events, sessions, units or requests were forgotten, and what concerns them was not checked`;
      issues.push({ code: 'forgotten', severity: 'warning', message, source: '', eventId: '' });
    }
    return issues;
  }

  /** How much has been forgotten because of the limits. */
  get forgotten(): number {
    const { events, sessions, units, requests, commands, acks, positions } = this.#state;
    return [events, sessions, units, requests, commands, acks, positions].reduce((sum, map) => sum + map.forgotten, 0);
  }
}

function placeOf(event: AepEvent): Placed | undefined {
  const { session, seq, source } = event;
  if (session === undefined || seq === undefined) return undefined;
  return { sessionKey: keyOf(source, session), nameKey: keyOf(session), epoch: epochOf(event), seq };
}

/** What there is one text of is held once: a parser makes a new one for every Event. */
function knownEvent(state: StreamState, { type, session }: AepEvent, place: Placed | undefined, print: number): KnownEvent {
  const nameKey = session === undefined ? undefined : place === undefined ? keyOf(session) : sessionOf(state, place).nameKey;
  return { fingerprint: print, type: typeEntry(type)?.type ?? cut(type), command: isCommand(type), nameKey };
}
