/** What `onRefusal` of {@link HttpBindingOptions} gets. Holds no token and no content. */
export interface HttpRefusal {
  /** Which route refused. */
  readonly route: 'events' | 'discovery';
  /** The HTTP status of the answer. */
  readonly status: number;
  /** The `error` member of the answer. */
  readonly error: string;
  /** The code behind it, where there is a finer one. */
  readonly code?: string;
  /** Set for a 500 and where the hub named a cause for a 503: what was thrown, for the app's log. */
  readonly cause?: unknown;
}

/** An answer other than 202 or 200, before it is written. */
export interface Refusal {
  readonly refused: true;
  readonly status: number;
  readonly error: string;
  readonly detail: string;
  readonly code?: string;
  readonly path?: string;
  /** Place of the offending Event in the request, from 0. */
  readonly index?: number;
  /** Its line, from 1. */
  readonly line?: number;
  /** Of a 426: what is spoken here. */
  readonly versions?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** `true`: `Retry-After` goes along. */
  readonly retry?: boolean;
  readonly cause?: unknown;
}

/** Makes a {@link Refusal}. */
export function refuse(status: number, error: string, detail: string, more: Partial<Refusal> = {}): Refusal {
  return { ...more, refused: true, status, error, detail };
}

/** Tells a {@link Refusal} from what a step gives when it is content. */
export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && (value as { refused?: unknown }).refused === true;
}
