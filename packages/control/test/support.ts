import type { Principal, Scope } from '@aepkit/access';
import type { WireEvent } from '@aepkit/envelope';
import type { PeerConnection } from '@aepkit/hub';
import { buildWire, type EventOverrides } from '@aepkit/testkit';

export function principal(name = 'tester', scopes: readonly Scope[] = ['emit', 'observe', 'control'], authenticated = true): Principal {
  return { name, scopes: new Set(scopes), authenticated };
}

export const EVERYBODY: Principal = principal();
export const NOBODY: Principal = principal('anonymous', ['emit', 'observe'], false);

export const CORE = ['control.attention.respond', 'control.cancel', 'control.pause', 'control.resume'] as const;

/** A peer that keeps what it is handed. */
export interface TestPeer extends PeerConnection {
  readonly got: WireEvent[];
  /** What `send` does: says true, says false, or throws. */
  behave: 'take' | 'full' | 'throw';
}

let count = 0;

export function peer(overrides: Partial<PeerConnection> = {}): TestPeer {
  const it: TestPeer = {
    id: `p${String(++count)}`,
    principal: EVERYBODY,
    role: 'emitter',
    agent: 'a1',
    capabilities: { control: { accepts: CORE } },
    ...overrides,
    got: [],
    behave: 'take',
    send(command) {
      if (it.behave === 'throw') throw new Error('reset');
      if (it.behave === 'full') return false;
      it.got.push(command);
      return true;
    },
  };
  return it;
}

export function commandOf(overrides: EventOverrides = {}): WireEvent {
  return buildWire({ type: 'control.pause', source: 'aep://desk/agent/desk', agent: 'desk', seq: undefined, data: undefined, ...overrides });
}

export function requestOf(data: Record<string, unknown>, overrides: EventOverrides = {}): WireEvent {
  return buildWire({ type: 'attention.requested', severity: 'notice', capture: 'redacted', data: { prompt: 'May I?', ...data }, ...overrides });
}
