/** What an endpoint reports while it runs. Never holds a token, a URL with its query, or content. */
export interface EndpointLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
  debug(facts: object, message: string): void;
}

/** A log that nobody reads. */
export const SILENT_LOG: EndpointLog = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined };
