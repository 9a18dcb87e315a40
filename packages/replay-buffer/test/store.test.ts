import { describe, expect, it } from 'vitest';
import { EVENT_OVERHEAD_BYTES, ReplayBuffer, SESSION_OVERHEAD_BYTES, SOURCE_OVERHEAD_BYTES } from '../src/index.js';
import { at, command, fill, ids, range, wire, words } from './events.js';

describe('dedupe', () => {
  it('keeps one copy of a (source, id), the first [B-109, E-083]', () => {
    const buffer = new ReplayBuffer();
    const first = wire({ id: 'x', seq: 1, data: { copy: 1 } });
    expect(buffer.admit(first)).toBe('admitted');
    expect(buffer.admit(wire({ id: 'x', seq: 1, data: { copy: 2 } }))).toBe('duplicate');
    expect(buffer.admit(wire({ id: 'x', seq: 7 }))).toBe('duplicate');
    expect(buffer.admit(wire({ id: 'x', seq: 1, session: 'other', source: 'aep://h/s' }))).toBe('duplicate');
    expect(words(buffer, 'all')).toBe('0:1 .s');
    expect(buffer.order).toBe(1);
  });

  it('never goes by id alone [B-111, E-083]', () => {
    const buffer = new ReplayBuffer();
    expect(buffer.admit(wire({ id: 'x', source: 'aep://h/1' }))).toBe('admitted');
    expect(buffer.admit(wire({ id: 'x', source: 'aep://h/2' }))).toBe('admitted');
    expect(buffer.admit(wire({ id: '1x', source: 'aep://h/' }))).toBe('admitted');
  });

  it('keeps equal content under a new id', () => {
    const buffer = new ReplayBuffer();
    expect([wire({ id: 'x', seq: 1 }), wire({ id: 'y', seq: 2 })].map((each) => buffer.admit(each))).toEqual(['admitted', 'admitted']);
  });

  it('covers commands', () => {
    const buffer = new ReplayBuffer();
    fill(buffer, [0]);
    expect(buffer.admit(command({ id: 'c' }))).toBe('admitted');
    expect(buffer.admit(command({ id: 'c' }))).toBe('duplicate');
    expect(buffer.admit(command({ id: 'c', source: 'aep://h/other' }))).toBe('admitted');
  });

  it('lasts as long as the Event is held', () => {
    const buffer = new ReplayBuffer({ perSession: 2 });
    fill(buffer, [1], { id: 'x' });
    fill(buffer, [2, 3]);
    expect(buffer.admit(wire({ id: 'x', seq: 9 }))).toBe('admitted');
  });
});

describe('what has no place in a history', () => {
  it('is an agent-scoped Event [E-038]', () => {
    const buffer = new ReplayBuffer();
    expect(buffer.admit(wire({ type: 'agent.started', session: undefined, seq: undefined }))).toBe('unbuffered');
    expect(buffer.stats().events).toBe(0);
  });

  it('is a command about a session that holds nothing', () => {
    const buffer = new ReplayBuffer();
    expect(buffer.admit(command())).toBe('unbuffered');
    fill(buffer, [0]);
    expect(buffer.admit(command({ session: 'other' }))).toBe('unbuffered');
    expect(words(buffer, 'all')).toBe('0:0 .s');
  });
});

describe('the depth of a session', () => {
  it.each([1, 2, 5])('of %i is kept exactly [B-213]', (perSession) => {
    const buffer = new ReplayBuffer({ perSession });
    fill(buffer, range(0, 9));
    expect(words(buffer, 'all')).toBe([...range(10 - perSession, 9).map((seq) => `0:${seq}`), '.s'].join(' '));
  });

  it('is not exceeded by one nor missed by one', () => {
    for (const count of [9, 10, 11]) {
      const buffer = new ReplayBuffer({ perSession: 10 });
      fill(buffer, range(1, count));
      expect(buffer.stats()).toMatchObject({ events: Math.min(count, 10), evicted: Math.max(0, count - 10) });
    }
  });

  it('is per (source, session)', () => {
    const buffer = new ReplayBuffer({ perSession: 2 });
    for (const source of ['aep://h/1', 'aep://h/2']) fill(buffer, range(0, 3), { source });
    fill(buffer, range(0, 3), { session: 't' });
    expect(words(buffer, 'all')).toBe('0:2 0:2 0:3 0:3 .s 0:2 0:3 .t');
  });

  it('loses the lowest position, not the oldest arrival', () => {
    const buffer = new ReplayBuffer({ perSession: 3 });
    fill(buffer, [10, 11, 5, 12]);
    expect(words(buffer, 'all')).toBe('0:10 0:11 0:12 .s');
  });

  it('does not take late backfill, at or below what was evicted', () => {
    const buffer = new ReplayBuffer({ perSession: 2 });
    fill(buffer, [1, 5, 9, 10]);
    expect([0, 4, 5].map((seq) => buffer.admit(wire({ seq })))).toEqual(['late', 'late', 'late']);
    expect(buffer.admit(wire({ seq: 7 }))).toBe('late');
    expect(words(buffer, 'all')).toBe('0:9 0:10 .s');
    expect(buffer.order).toBe(4);
  });

  it('counts backfill below a full buffer as evicted, since no replay will give it out', () => {
    const buffer = new ReplayBuffer({ perSession: 2 });
    fill(buffer, [0, 10]);
    buffer.admit(wire({ seq: 20 }));
    expect(words(buffer, at(0))).toBe('0:10 0:20 .s');
    expect(buffer.admit(wire({ seq: 7 }))).toBe('late');
    expect(words(buffer, at(6))).toBe('!s 0:10 0:10 0:20 .s');
    expect(words(buffer, at(7))).toBe('0:10 0:20 .s');
  });
});

describe('the number of sessions', () => {
  it('is kept by evicting the one that was written longest ago, whole', () => {
    const buffer = new ReplayBuffer({ sessions: 2 });
    fill(buffer, range(0, 3), { session: 'a' });
    fill(buffer, range(0, 3), { session: 'b' });
    fill(buffer, [4], { session: 'a' });
    fill(buffer, [0], { session: 'c' });
    expect(words(buffer, 'all')).toBe('0:0 0:1 0:2 0:3 0:4 .a 0:0 .c');
    expect(buffer.stats()).toMatchObject({ sessions: 2, events: 6, evicted: 4 });
  });

  it('is not a matter of reading, of duplicates or of commands', () => {
    const buffer = new ReplayBuffer({ sessions: 2 });
    fill(buffer, [0], { session: 'a', id: 'a0' });
    fill(buffer, [0], { session: 'b' });
    words(buffer, at(0, 'a'));
    expect(buffer.admit(wire({ session: 'a', id: 'a0' }))).toBe('duplicate');
    expect(buffer.admit(command({ session: 'a' }))).toBe('admitted');
    fill(buffer, [0], { session: 'c' });
    expect(words(buffer, 'all')).toBe('0:0 .b 0:0 .c');
    expect(buffer.stats().events).toBe(2);
  });

  it('counts sources that share a name', () => {
    const buffer = new ReplayBuffer({ sessions: 2 });
    for (const [seq, source] of ['aep://h/1', 'aep://h/2', 'aep://h/3'].entries()) fill(buffer, [seq], { source });
    expect(words(buffer, 'all')).toBe('0:1 0:2 .s');
    expect(buffer.stats().sessions).toBe(2);
  });
});

describe('bytes', () => {
  const cost = (text: string) => text.length + EVENT_OVERHEAD_BYTES;
  const names = (session: string) => SESSION_OVERHEAD_BYTES + 2 * (session.length + `aep://h/${session}`.length) + SOURCE_OVERHEAD_BYTES + 2 * `aep://h/${session}`.length;

  it('count the text and what is held with it', () => {
    const buffer = new ReplayBuffer();
    const { json } = wire({ id: 'x', seq: 1, data: { pad: 'x'.repeat(1000) } });
    fill(buffer, [1], { id: 'x', data: { pad: 'x'.repeat(1000) } });
    expect(buffer.stats().bytes).toBe(cost(json) + names('s'));
  });

  it('are given back when everything leaves', () => {
    const buffer = new ReplayBuffer({ perSession: 1, sessions: 1, evictedSessions: 0 });
    for (const session of ['a', 'b']) {
      fill(buffer, [1, 2, 3], { session });
      buffer.admit(command({ session }));
    }
    fill(buffer, [0], { id: 'x', session: 'c' });
    const fresh = new ReplayBuffer();
    fill(fresh, [0], { id: 'x', session: 'c' });
    expect(buffer.stats().bytes).toBe(fresh.stats().bytes);
  });

  it('evict the session that was written longest ago, whole', () => {
    const each = 3 * (wire({ seq: 0, session: 'a', id: 'e000' }).json.length + EVENT_OVERHEAD_BYTES) + names('a');
    const buffer = new ReplayBuffer({ bytes: 3 * each });
    for (const session of ['a', 'b', 'c', 'd']) fill(buffer, range(0, 2), { session });
    expect(words(buffer, 'all')).toBe('0:0 0:1 0:2 .c 0:0 0:1 0:2 .d');
    expect(buffer.stats().bytes).toBeLessThanOrEqual(3 * each);
  });

  it('never evict the session that is being written; alone it loses its lowest', () => {
    const one = wire({ seq: 100, id: 'e000' }).json.length + EVENT_OVERHEAD_BYTES;
    const buffer = new ReplayBuffer({ bytes: names('s') + 10 * one });
    fill(buffer, range(100, 199));
    const held = words(buffer, 'all').split(' ');
    expect(held.slice(-2)).toEqual(['0:199', '.s']);
    expect(held.length).toBeGreaterThan(8);
    expect(buffer.admit(wire({ seq: 100 }))).toBe('late');
    expect(words(buffer, at(99)).split(' ')[0]).toBe('!s');
  });

  it('of a backfill that would go at once make it late', () => {
    const one = wire({ seq: 100, id: wire().event.id }).json.length + EVENT_OVERHEAD_BYTES;
    const buffer = new ReplayBuffer({ bytes: names('s') + 5 * one });
    fill(buffer, range(100, 110));
    const [lowest] = words(buffer, 'all').split(' ');
    const seq = Number(lowest?.slice(2));
    const roomy = new ReplayBuffer({ bytes: names('s') + 5 * one });
    fill(roomy, range(100, 104));
    expect(roomy.admit(wire({ seq: 50 }))).toBe('late');
    expect(words(roomy, at(60))).toBe(words(roomy, at(50)));
    expect(words(roomy, at(49)).startsWith('!s 0:100 ')).toBe(true);
    expect(seq).toBeGreaterThan(100);
  });

  it('too many for the buffer leave an Event out, and what stands below it, so that its place is marked', () => {
    const buffer = new ReplayBuffer({ bytes: 20_000 });
    fill(buffer, [0], { session: 'other' });
    fill(buffer, [0, 1, 3]);
    expect(buffer.admit(wire({ seq: 2, data: { pad: 'x'.repeat(20_000) } }))).toBe('unbuffered');
    expect(words(buffer, at(0))).toBe('!s 0:3 0:3 .s');
    expect(words(buffer, at(2))).toBe('0:3 .s');
    expect(words(buffer, at(0, 'other'))).toBe('.other');
    expect(buffer.stats().sessions).toBe(2);
    expect(buffer.admit(wire({ seq: 4, data: { pad: 'x'.repeat(20_000) } }))).toBe('unbuffered');
    expect(words(buffer, at(3))).toBe('.s?');
    expect(buffer.admit(wire({ session: 'new', seq: 4, data: { pad: 'x'.repeat(20_000) } }))).toBe('unbuffered');
    expect(words(buffer, at(3, 'new'))).toBe('.new?');
    expect(words(buffer, at(4, 'new'))).toBe('.new');
  });
});

describe('a command', () => {
  it('is anchored behind what is highest when it comes, and replayed when the anchor is at or past the position', () => {
    const buffer = new ReplayBuffer();
    fill(buffer, [0, 1]);
    buffer.admit(command({ id: 'c1' }));
    fill(buffer, [2]);
    buffer.admit(command({ id: 'c2' }));
    buffer.admit(command({ id: 'c3', type: 'attention.routed', source: 'aep://h/router' }));
    expect(words(buffer, 'all')).toBe('0:0 0:1 c1 0:2 c2 c3 .s');
    expect(words(buffer, at(0))).toBe('0:1 c1 0:2 c2 c3 .s');
    expect(words(buffer, at(1))).toBe('c1 0:2 c2 c3 .s');
    expect(words(buffer, at(2))).toBe('c2 c3 .s');
    expect(words(buffer, at(3))).toBe('.s');
  });

  it('opens no session of its own [E-128]', () => {
    const buffer = new ReplayBuffer();
    fill(buffer, [0]);
    buffer.admit(command({ id: 'c1' }));
    expect(buffer.stats()).toMatchObject({ sessions: 1, events: 2 });
  });

  it('keeps its place when backfill comes', () => {
    const buffer = new ReplayBuffer();
    fill(buffer, [0, 5]);
    buffer.admit(command({ id: 'c1' }));
    fill(buffer, [3, 9, 5]);
    expect(words(buffer, 'all')).toBe('0:0 0:3 0:5 c1 0:5 0:9 .s');
  });

  it('is counted apart, the same number again, and pushes out only its own kind', () => {
    const buffer = new ReplayBuffer({ perSession: 3 });
    fill(buffer, [0, 1, 2]);
    for (const id of ['c1', 'c2', 'c3', 'c4', 'c5']) expect(buffer.admit(command({ id }))).toBe('admitted');
    expect(words(buffer, 'all')).toBe('0:0 0:1 0:2 c3 c4 c5 .s');
    expect(words(buffer, at(0))).toBe('0:1 0:2 c3 c4 c5 .s');
  });

  it('leaves with its anchor, and not while another Event stands there', () => {
    const buffer = new ReplayBuffer({ perSession: 2 });
    fill(buffer, [0]);
    buffer.admit(command({ id: 'c1' }));
    fill(buffer, [0, 1]);
    expect(words(buffer, 'all')).toBe('c1 0:0 0:1 .s');
    fill(buffer, [2]);
    expect(words(buffer, 'all')).toBe('0:1 0:2 .s');
    expect(buffer.admit(command({ id: 'c1' }))).toBe('admitted');
  });

  it('is anchored with every owner of the name, goes out once, and stays while one anchor does', () => {
    const buffer = new ReplayBuffer({ perSession: 2 });
    fill(buffer, [0, 1], { source: 'aep://h/1' });
    fill(buffer, [7], { source: 'aep://h/2' });
    buffer.admit(command({ id: 'c' }));
    expect(words(buffer, 'all')).toBe('0:0 0:1 0:7 c .s');
    expect(words(buffer, at(5))).toBe('!s 0:7 0:7 c .s');
    fill(buffer, [8, 9], { source: 'aep://h/2' });
    expect(words(buffer, 'all')).toBe('0:0 0:1 c 0:8 0:9 .s');
    fill(buffer, [2, 3], { source: 'aep://h/1' });
    expect(words(buffer, 'all')).toBe('0:2 0:3 0:8 0:9 .s');
    expect(buffer.stats().events).toBe(4);
  });

  it('evicts other sessions for room, then older ones of its kind, and no history of the session it is about', () => {
    const pad = { pad: 'x'.repeat(1000) };
    const buffer = new ReplayBuffer({ bytes: 15_000 });
    fill(buffer, [0], { session: 'other', data: pad });
    fill(buffer, [0, 1, 2], { data: pad });
    for (let index = 0; index < 30; index++) expect(buffer.admit(command({ id: `c${index}`, data: pad }))).toBe('admitted');
    expect(buffer.stats().bytes).toBeLessThanOrEqual(15_000);
    const held = words(buffer, 'all');
    expect(held).toMatch(/^0:0 0:1 0:2 c\d\d .* c28 c29 \.s$/);
    expect(buffer.admit(command({ data: { pad: 'x'.repeat(15_000) } }))).toBe('unbuffered');
    expect(words(buffer, 'all')).toBe(held);
  });

  it('that fits only without history is left out', () => {
    const buffer = new ReplayBuffer({ bytes: 10_000 });
    fill(buffer, range(0, 20), { data: { pad: 'x'.repeat(400) } });
    const held = ids(buffer, 'all');
    expect(buffer.admit(command({ id: 'c', data: { pad: 'x'.repeat(6000) } }))).toBe('unbuffered');
    expect(ids(buffer, 'all')).toEqual(held);
    expect(buffer.admit(command({ id: 'c', data: { pad: 'x'.repeat(6000) } }))).toBe('unbuffered');
  });
});
