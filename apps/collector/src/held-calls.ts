import type { Principal } from '@aepkit/access';
import type { AdapterDefinition, Decision as HookDecision, HookAdapter } from '@aepkit/adapter-kit';
import { checkAnswer, createInbox, type Decision, type Inbox } from '@aepkit/control';
import type { EndpointLog } from '@aepkit/endpoint';
import type { AepEvent, WireEvent } from '@aepkit/envelope';
import type { Hub, PeerConnection, Sink } from '@aepkit/hub';

import type { HeldCall, HoldableCall } from './held-call.js';
import { asked, isHeldRequest, questionOf } from './held-request.js';
import { type HeldAnswer, holdProof } from './hold-proof.js';
import type { HookIntake } from './hook-intake.js';

/** Most calls that are held at a time; others are taken without. */
export const MAX_HELD_CALLS = 64;
/** Most sessions of an agent that are remembered for their held calls. */
const MAX_SESSIONS = 10_000;

const RESPOND = 'control.attention.respond';

/** What {@link heldCalls} works on. */
export interface HeldCallsParts {
  readonly hub: Pick<Hub, 'ingest' | 'connect'>;
  readonly definitions: readonly AdapterDefinition[];
  /** For how long a call of each agent may be held at most, in milliseconds. An agent that is missing here is never held. */
  readonly times: ReadonlyMap<string, number>;
  /** Key of {@link holdProof}. */
  readonly key: string;
  /** Identity of this collector, for the roster. */
  readonly instance: string;
  readonly log: EndpointLog;
  /** Default {@link MAX_HELD_CALLS}. */
  readonly maxHeld?: number;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /** Default: those of Node, which do not keep the process alive. */
  readonly timers?: HoldTimers;
}

/** Timers of holds. */
export interface HoldTimers {
  setTimeout(callback: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
}

/**
 * Calls that wait for an answer of control. One control target per agent that may be held (AEP-0004 §7): from its first held call on it
 * claims a session, and answers for the calls that are held.
 */
export interface HeldCalls {
  /** For the intake: a request that is held claims its session for the target of its agent, and what closes it ends its hold. */
  readonly hub: Pick<Hub, 'ingest'>;
  /** Connects the targets. Commands reach nobody before. */
  start(intake: Pick<HookIntake, 'inTurn'>): void;
  /** Prepares to hold a call, where it asks something, its agent may be held and there is room. */
  prepare(call: HoldableCall): HeldCall | undefined;
  /** Calls that are held. */
  readonly held: number;
  /** Lets every call go, unanswered, and takes no command any more. */
  close(): void;
}

interface Hold {
  readonly agent: string;
  readonly key: string;
  readonly options: readonly string[];
  /** What the shim is told. */
  readonly render: (decision: HookDecision) => string;
  readonly settle: (answer: HeldAnswer) => void;
  readonly expiresAt: number;
  /** The request, as it went out. */
  request: AepEvent | undefined;
  /** `answering`: an answer is on its way to the log. `abandoned`: the shim has gone. */
  state: 'open' | 'answering' | 'abandoned' | 'over';
  timer: unknown;
}

/** Who answers commands for an agent. */
interface Target {
  readonly peer: PeerConnection;
  readonly inbox: Inbox;
  /** Where calls are held or were: who has no hook that waits must not seem to take answers. The oldest are forgotten. */
  readonly sessions: Set<string>;
}

/** What happens to one command within the turn of its session. */
interface Turn {
  readonly adapter: HookAdapter;
  readonly events: WireEvent[];
  /** The hold that is answered, and with what. */
  answered?: { readonly hold: Hold; readonly print: string };
}

/** Makes a {@link HeldCalls}. */
export function heldCalls(parts: HeldCallsParts): HeldCalls {
  const { hub, times, key: proofKey, log, maxHeld = MAX_HELD_CALLS, now = Date.now, timers = BACKGROUND_TIMERS } = parts;
  const definitions = new Map(parts.definitions.map((definition) => [definition.agent, definition]));
  const targets = new Map<string, Target>();
  const leave: (() => void)[] = [];
  /** By id of the request. */
  const holds = new Map<string, Hold>();
  /** Those that are prepared, or wait. */
  let count = 0;
  let intake: Pick<HookIntake, 'inTurn'> | undefined;
  let closed = false;
  let turn: Turn | undefined;

  const end = (hold: Hold, answer: HeldAnswer): void => {
    if (hold.state === 'over') return;
    hold.state = 'over';
    timers.clearTimeout(hold.timer);
    if (hold.request !== undefined) holds.delete(hold.request.id);
    count--;
    hold.settle(answer);
  };

  /** The agent is let go first: it must not wait for the disk. */
  const expire = (hold: Hold): void => {
    const { request } = hold;
    if (hold.state === 'answering' || hold.state === 'over') return;
    end(hold, { held: 'expired' });
    if (request?.session === undefined) return;
    const { id, session } = request;
    intake
      ?.inTurn(hold.agent, session, (adapter) => (adapter.requests(session).some(({ event }) => event === id) ? [adapter.mint(session, { type: 'attention.timeout', subject: id, cause: id })] : []), ADAPTER)
      .catch((error: unknown) => {
        log.error({ agent: hold.agent, err: error }, 'the end of a request could not be kept');
      });
  };

  const decide = (agent: string, command: AepEvent): Decision => {
    const hold = command.subject === undefined ? undefined : holds.get(command.subject);
    const request = hold?.request;
    // A request that is closed or was never held (AEP-0004 §5).
    if (hold === undefined || request === undefined || hold.agent !== agent || request.session !== command.session || hold.state === 'answering') {
      return { type: 'rejected', reason: 'invalid', detail: 'no call waits under this subject' };
    }
    if (hold.state === 'abandoned') return { type: 'rejected', reason: 'refused', detail: 'the agent does not wait for an answer any more' };
    const verdict = checkAnswer(asked(request, hold.options), command.data?.answer, { refusing: 'deny' });
    if (verdict.type === 'invalid') return { type: 'rejected', reason: 'invalid', detail: verdict.detail };
    const { option, text } = verdict.answer;
    // Only the very word permits; whatever else an agent offers is not known here.
    if (option !== 'allow' && option !== 'deny') return { type: 'rejected', reason: 'invalid', detail: 'this option cannot be carried out here' };
    let print: string;
    try {
      print = hold.render({ behavior: option, ...(option === 'deny' && text !== undefined ? { message: text } : {}) });
    } catch (error) {
      log.error({ agent, err: error }, 'no reply could be made for a held call');
      return { type: 'rejected', reason: 'refused', detail: 'no reply can be made for this call' };
    }
    return {
      type: 'accepted',
      execute: () => {
        if (turn === undefined) return;
        hold.state = 'answering';
        const { adapter, events } = turn;
        const { session = '' } = request;
        const answered = adapter.mint(session, {
          type: 'attention.answered',
          subject: request.id,
          run: request.run,
          cause: command.id,
          data: { answer: { option }, by: command.agent, via: 'control' },
          ...(text === undefined ? {} : { text: { answer: { text } } }),
        });
        const latency = Math.max(0, Math.round(now() - Date.parse(request.time)));
        const resolved = adapter.mint(session, {
          type: 'attention.resolved',
          subject: request.id,
          run: request.run,
          cause: answered.event.id,
          data: { resolution: 'answered', latency_ms: latency },
        });
        events.push(answered, resolved);
        turn.answered = { hold, print };
      },
    };
  };

  const targetOf = (definition: AdapterDefinition): Target => {
    const { agent } = definition;
    const inbox = createInbox({
      accepts: [RESPOND],
      // Only commands for sessions that are claimed here are routed here.
      owns: () => true,
      decide: (command) => decide(agent, command),
      // The adapter has the ceilings: what they do not allow goes there.
      capture: 'full',
      mint: ({ type, session, cause, data }) => {
        if (turn === undefined) throw new Error('an ack is made in the turn of its session');
        const { reason, detail } = data ?? {};
        return turn.adapter.mint(session, {
          type,
          cause,
          ...(reason === undefined ? {} : { data: { reason } }),
          ...(detail === undefined ? {} : { text: { detail } }),
        });
      },
      emit: (ack) => void turn?.events.push(ack),
      onIncident: ({ type, error }) => {
        log.error({ agent, incident: type, err: error }, 'a command could not be answered');
      },
    });

    /** Decision, ack and outcome are one batch in the turn of the session; the hook is answered when that is kept. */
    const receive = async (command: WireEvent): Promise<void> => {
      const { session } = command.event;
      if (intake === undefined || session === undefined) return;
      let mine: Turn | undefined;
      try {
        await intake.inTurn(
          agent,
          session,
          (adapter) => {
            mine = turn = { adapter, events: [] };
            try {
              inbox.receive(command);
            } finally {
              turn = undefined;
            }
            return mine.events;
          },
          ADAPTER,
        );
      } catch (error) {
        // Nobody has the ack, and its position is free again.
        inbox.forget(command);
        log.error({ agent, err: error }, 'the answer to a command could not be kept');
        const hold = mine?.answered?.hold;
        if (hold?.state === 'answering') {
          hold.state = 'open';
          if (now() >= hold.expiresAt) expire(hold);
        }
        return;
      }
      if (mine?.answered === undefined) return;
      const { hold, print } = mine.answered;
      end(hold, { held: 'answered', print, proof: holdProof(proofKey, hold.key, print) });
    };

    const principal: Principal = { name: `adapter ${agent}`, scopes: new Set(['emit'] as const), authenticated: true };
    const peer: PeerConnection = {
      id: `adapter-${agent}`,
      principal,
      role: 'emitter',
      agent,
      instance: parts.instance,
      capabilities: { control: inbox.control },
      send(command) {
        if (closed) return false;
        // The command is in the log when this returns, and its ack has to be behind it.
        queueMicrotask(() => void receive(command));
        return true;
      },
    };
    return { peer, inbox, sessions: new Set() };
  };

  return {
    hub: {
      async ingest(events, from) {
        const [first] = events;
        const target = targets.get(first?.event.agent ?? '');
        const receipt = await hub.ingest(events, target?.sessions.has(first?.event.session ?? '') !== true ? from : { principal: from.principal, via: 'connection', connection: target.peer });
        for (const { event } of events) {
          if (event.type !== 'attention.resolved' && event.type !== 'attention.timeout') continue;
          // The agent went on by itself.
          const hold = event.subject === undefined ? undefined : holds.get(event.subject);
          if (hold !== undefined && hold.state !== 'answering') end(hold, { held: 'released' });
        }
        return receipt;
      },
    },

    start(given) {
      intake = given;
      for (const agent of times.keys()) {
        const definition = definitions.get(agent);
        if (definition === undefined) continue;
        const target = targetOf(definition);
        const connection = hub.connect({ sink: NO_SINK, principal: target.peer.principal, peer: target.peer, positions: false });
        targets.set(agent, target);
        leave.push(() => {
          connection.close();
          target.inbox.close();
        });
      }
    },

    prepare(call) {
      const { agent, key, waitMs } = call;
      const definition = definitions.get(agent);
      const limit = times.get(agent);
      if (closed || definition === undefined || limit === undefined || !targets.has(agent) || key === undefined || count >= maxHeld || !(waitMs >= 1)) return undefined;
      const question = 'payload' in call ? questionOf(definition, call.payload) : { options: ['allow', 'deny'] };
      if (question === undefined) return undefined;
      // Who has read the call has the payload, and makes the reply of the decision.
      const render = (decision: HookDecision): string => ('payload' in call ? definition.reply(call.payload, decision) : JSON.stringify(decision));
      const { promise, resolve } = Promise.withResolvers<HeldAnswer>();
      const expiresAt = now() + Math.min(limit, waitMs);
      const hold: Hold = { agent, key, options: question.options, render, settle: resolve, expiresAt, request: undefined, state: 'open', timer: undefined };
      count++;
      return {
        read: {
          held: true,
          expiresAt,
          // Ahead of the commit: who sees the request may answer at once.
          placed: (events) => {
            const request = events.find((wire) => wire.event.agent === agent && isHeldRequest(wire))?.event;
            if (request === undefined || hold.state !== 'open') return;
            hold.request = request;
            holds.set(request.id, hold);
            rememberSession(targets.get(agent)?.sessions, request.session);
            hold.timer = timers.setTimeout(
              () => {
                expire(hold);
              },
              Math.max(0, expiresAt - now()),
            );
          },
        },
        get waits() {
          return hold.request !== undefined;
        },
        answer: promise,
        cancel() {
          end(hold, { held: 'released' });
        },
        abandon() {
          if (hold.state === 'open') hold.state = 'abandoned';
        },
      };
    },

    get held() {
      return count;
    },

    close() {
      closed = true;
      for (const hold of [...holds.values()]) end(hold, { held: 'released' });
      for (const go of leave.splice(0)) go();
    },
  };
}

/** What goes on inside of the collector. */
const ADAPTER: Principal = { name: 'adapter', scopes: new Set(['emit'] as const), authenticated: true };

function rememberSession(sessions: Set<string> | undefined, session: string | undefined): void {
  if (sessions === undefined || session === undefined) return;
  sessions.add(session);
  for (const oldest of sessions) {
    if (sessions.size <= MAX_SESSIONS) return;
    sessions.delete(oldest);
  }
}

/** A target watches nothing. */
const NO_SINK: Sink = { write: () => true, drained: () => Promise.resolve(), exhausted: () => undefined, close: () => undefined };

const BACKGROUND_TIMERS: HoldTimers = {
  setTimeout: (callback, ms) => setTimeout(callback, ms).unref(),
  clearTimeout: (timer) => {
    clearTimeout(timer as NodeJS.Timeout);
  },
};
