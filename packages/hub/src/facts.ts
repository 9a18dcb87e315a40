import type { Capture, JsonObject } from '@aepkit/envelope';

/** What an endpoint states about itself, in `hello` and in discovery alike (AEP-0003 §3.4, §4). */
export interface EndpointCapabilities {
  readonly filters: readonly string[];
  /** `buffer` counts Events per session. */
  readonly replay: { readonly buffer: number; readonly all?: true };
  readonly capture: readonly Capture[];
  /** Present where the endpoint routes commands. */
  readonly control?: JsonObject;
  /** Present where the endpoint answers roster requests. */
  readonly roster?: Record<string, never>;
  readonly experimental: JsonObject;
}

/** The facts of an endpoint, for the discovery document and for `hello`. */
export interface EndpointFacts {
  readonly id: string;
  /** Supported protocol versions. */
  readonly versions: readonly string[];
  readonly role: 'collector' | 'relay';
  readonly capabilities: EndpointCapabilities;
}
