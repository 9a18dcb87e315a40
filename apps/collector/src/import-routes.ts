import { AsyncLocalStorage } from 'node:async_hooks';

import { type HttpBindingOptions, httpBinding } from '@aepkit/binding-http/server';
import { isCommand } from '@aepkit/envelope';
import { type Hub, HubError } from '@aepkit/hub';
import { Hono } from 'hono';

/** Header of an answer that says how many Events of the request were kept already. */
export const DUPLICATES_HEADER = 'aep-duplicates';

/**
 * `POST /import/events`: as `POST /events`, for Events that were recorded elsewhere. Commands among them are history, as over a
 * link: kept and shown, never routed (AEP-0004 §4.1 is about commands that are to have an effect). Who has a token without the
 * scope `control` cannot put commands there: it would be a way to forge who told an agent what.
 */
export function importRoutes(options: Omit<HttpBindingOptions, 'hub'> & { readonly hub: Pick<Hub, 'ingest' | 'facts'> }): Hono {
  const counts = new AsyncLocalStorage<{ duplicates: number }>();
  const hub: Pick<Hub, 'ingest' | 'facts'> = {
    facts: () => options.hub.facts(),
    async ingest(events, { principal }) {
      const index = principal.authenticated && !principal.scopes.has('control') ? events.findIndex(({ event }) => isCommand(event.type)) : -1;
      if (index >= 0) throw new HubError('command-refused', 'a recorded command needs the scope control', { index });
      const receipt = await options.hub.ingest(events, { principal, via: 'link' });
      const count = counts.getStore();
      if (count !== undefined) count.duplicates = receipt.admissions.filter((admission) => admission === 'duplicate').length;
      return receipt;
    },
  };
  const app = new Hono();
  app.use('/import/events', async (c, next) => {
    const count = { duplicates: 0 };
    await counts.run(count, next);
    if (c.res.status === 202) c.res.headers.set(DUPLICATES_HEADER, String(count.duplicates));
  });
  app.route('/import', httpBinding({ ...options, hub }));
  return app;
}
