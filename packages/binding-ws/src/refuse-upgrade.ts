import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

import type { AccessError } from '@aepkit/access';

/** The `error` member of the answer to a refused upgrade. */
export type WsRefusalError = 'unauthorized' | 'invalid-request' | 'unavailable' | 'internal-error';

/** What {@link WebSocketBindingOptions.onRefusal} gets. Holds no token and no content. */
export interface WsRefusal {
  /** The HTTP status of the answer. */
  readonly status: number;
  /** The `error` member of the answer. */
  readonly error: WsRefusalError;
  /** The code behind it, where there is a finer one. */
  readonly code?: string;
  /** Set for a 500: what was thrown, for the app's log. */
  readonly cause?: unknown;
}

/** A refusal with what goes out. `detail` never holds a part of the URL. */
export interface RefusedUpgrade extends WsRefusal {
  readonly detail: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Thrown inside the binding for what it finds itself. */
export class UpgradeRefused extends Error {
  override readonly name = 'UpgradeRefused';
  readonly refusal: RefusedUpgrade;

  constructor(status: number, error: WsRefusalError, detail: string, headers?: Readonly<Record<string, string>>) {
    super(detail);
    this.refusal = { status, error, detail, ...(headers === undefined ? {} : { headers }) };
  }
}

/** The one table from what was thrown ahead of the upgrade to what goes out (AEP-0003 §8.1). */
export function refusalOfUpgrade(thrown: unknown): RefusedUpgrade {
  if (thrown instanceof UpgradeRefused) return thrown.refusal;
  if (isAccessError(thrown)) {
    return {
      status: thrown.status,
      error: 'unauthorized',
      code: thrown.code,
      detail: thrown.message,
      ...(thrown.wwwAuthenticate === undefined ? {} : { headers: { 'WWW-Authenticate': thrown.wwwAuthenticate } }),
    };
  }
  return { status: 500, error: 'internal-error', detail: 'The upgrade failed.', cause: thrown };
}

/** Answers an upgrade with a plain HTTP response and ends the socket. */
export function answerRefused(socket: Duplex, { status, error, code, detail, headers }: RefusedUpgrade): void {
  if (socket.destroyed) return;
  const body = JSON.stringify({ error, detail, ...(code === undefined || code === error ? {} : { code }) });
  const head = {
    Connection: 'close',
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    ...headers,
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? 'Refused'}\r\n${lines.join('')}\r\n${body}`);
}

// By name and code: an app may hold two copies of a package.
function isAccessError(thrown: unknown): thrown is AccessError {
  return thrown instanceof Error && thrown.name === 'AccessError' && 'status' in thrown && typeof thrown.status === 'number';
}
