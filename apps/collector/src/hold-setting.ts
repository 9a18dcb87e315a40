import { EndpointError } from '@aepkit/endpoint';

/** Longest time a call is held, in seconds. */
export const MAX_HOLD_S = 3600;
/** Longest time of agents that the setting does not name, in seconds. */
export const DEFAULT_HOLD_S = 600;

/**
 * For how long the calls of each agent may be held at most, in milliseconds; a shim that asks for less gets that, and one that asks for nothing
 * nothing. An item is a number of seconds, for every agent, or `agent=seconds`; 0 is off.
 *
 * @throws EndpointError `config-unreadable`.
 */
export function holdTimes(items: readonly string[], agents: readonly string[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>(agents.map((agent) => [agent, DEFAULT_HOLD_S * 1000]));
  for (const item of items) {
    const [, agent, seconds] = /^(?:([^=]+)=)?(\d{1,4})$/.exec(item) ?? [];
    if (seconds === undefined || Number(seconds) > MAX_HOLD_S) {
      throw new EndpointError('config-unreadable', `hold: ${JSON.stringify(item)} is neither seconds, at most ${MAX_HOLD_S}, nor an agent with seconds, such as ${agents[0] ?? 'agent'}=55`);
    }
    if (agent !== undefined && !agents.includes(agent)) throw new EndpointError('config-unreadable', `hold: there is no adapter of ${JSON.stringify(agent)}, but of ${agents.join(', ')}`);
    for (const name of agent === undefined ? agents : [agent]) times.set(name, Number(seconds) * 1000);
  }
  return new Map([...times].filter(([, ms]) => ms > 0));
}
