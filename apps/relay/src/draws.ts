import { type Chain, MAX_CHAIN } from '@aepkit/endpoint';

/** Whom a relay draws from, as it states it (O-98). */
export interface Draws {
  /** Identity of the relay. */
  readonly id: string;
  /** Every endpoint that it draws from, directly or not. */
  from(): readonly string[];
  /** A link draws, or is about to draw, from an endpoint with this place. */
  set(link: string, chain: Chain): void;
  delete(link: string): void;
}

/** Makes the {@link Draws} of a relay. */
export function draws(id: string): Draws {
  const chains = new Map<string, Chain>();
  return {
    id,
    from: () => [...new Set([...chains.values()].flatMap((chain) => [chain.id, ...chain.from]))].slice(0, MAX_CHAIN),
    set: (link, chain) => void chains.set(link, chain),
    delete: (link) => void chains.delete(link),
  };
}

/** Whether Events of the relay would come back to it over a link to an endpoint with this place. */
export function closesRing(relay: string, chain: Chain): boolean {
  return chain.id === relay || chain.from.includes(relay);
}
