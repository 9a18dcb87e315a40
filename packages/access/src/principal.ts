/** A right: to hand Events in, to read them, to send commands. */
export type Scope = 'emit' | 'observe' | 'control';

/** Every {@link Scope}. */
export const SCOPES: readonly Scope[] = Object.freeze(['emit', 'observe', 'control'] as const);

/** Who makes a request. Holds no secret. */
export interface Principal {
  /** Name of the token, or `anonymous`. */
  readonly name: string;
  /** What the caller may do. `control` is there only where {@link Principal.authenticated} is true (AEP-0004 §4.1). */
  readonly scopes: ReadonlySet<Scope>;
  /** Whether a token was presented and found. */
  readonly authenticated: boolean;
}
