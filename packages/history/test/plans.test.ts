import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { EventQueries } from '../src/event-queries.js';
import { Indexer } from '../src/indexer.js';
import { KnownSessions } from '../src/known-sessions.js';
import type { Reader } from '../src/reader.js';
import { LogReads } from '../src/replay-log.js';
import { createSchema } from '../src/schema.js';
import { SessionQueries } from '../src/session-queries.js';
import { SessionReads } from '../src/session-reads.js';

class Explaining extends DatabaseSync {
  readonly plans: string[] = [];

  override prepare(sql: string): StatementSync {
    for (const { detail } of super.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()) this.plans.push(String(detail));
    return super.prepare(sql);
  }
}

it('asks nothing that has to look at every Event or session to find a few', () => {
  const db = new Explaining(':memory:');
  createSchema(db);
  db.plans.length = 0;
  const reader = db as unknown as Reader;
  for (const Reads of [SessionReads, LogReads, EventQueries, SessionQueries]) new Reads(reader);
  new KnownSessions(db);
  new Indexer(db);
  const { plans } = db;
  db.close();
  expect(plans.filter((plan) => plan.startsWith('SEARCH')).length).toBeGreaterThan(20);
  expect(plans.filter((plan) => /^SCAN (?:events|positions|sessions|sources|e|p)\b/.test(plan))).toEqual([]);
});
