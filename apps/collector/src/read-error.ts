import { AdapterError } from '@aepkit/adapter-kit';
import { RouteError } from '@aepkit/endpoint';
import { HistoryError } from '@aepkit/history';

/** What the errors of adapters and of the history mean on the routes of a collector. */
export function readError(error: unknown): RouteError | undefined {
  if (error instanceof AdapterError) return new RouteError(400, error.code, error.message, {}, { path: error.path });
  if (error instanceof HistoryError) return new RouteError(503, 'unavailable', 'the history cannot be read', { 'retry-after': '1' });
  return undefined;
}
