import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Credit, Cursor, FanOutBuffer, MAX_UINT, MESSAGE_OVERHEAD_BYTES, QueueAccount, Reports, SubscriptionTable } from '../src/index.js';
import { errorOf } from './support.js';

const deliverAll = (credit: Credit, settle = true): number => {
  let count = 0;
  while (count < 10_000 && credit.deliver()) {
    count++;
    if (settle) credit.settle();
  }
  return count;
};

describe('credit', () => {
  it('starts at zero: nothing is delivered [W-321]', () => {
    const credit = new Credit();
    expect([credit.limit, credit.available, credit.deliver(), credit.delivered]).toEqual([0, false, false, 0]);
  });

  it('is a total since the subscription began, not an increment and not a window [W-320, W-326]', () => {
    const credit = new Credit();
    credit.grant(5);
    expect(deliverAll(credit)).toBe(5);
    credit.grant(5);
    expect(deliverAll(credit)).toBe(0);
    credit.grant(7);
    expect(deliverAll(credit)).toBe(2);
    expect(credit.delivered).toBe(7);
  });

  it('stands at the highest grant that came, in whatever order and however often [W-322, W-323, W-324, W-325]', () => {
    const credit = new Credit();
    expect([5, 3, 5, 0, 9, 8].map((limit) => credit.grant(limit))).toEqual([true, false, false, false, true, false]);
    expect(credit.limit).toBe(9);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 20 }), (grants) => {
        const shuffled = new Credit();
        for (const grant of grants) shuffled.grant(grant);
        expect(shuffled.limit).toBe(Math.max(0, ...grants));
        expect(deliverAll(shuffled)).toBe(Math.max(0, ...grants));
      }),
    );
  });

  it('of everything is a number like any other [W-327]', () => {
    const credit = new Credit({ maxUnsettled: Infinity });
    expect(credit.grant(MAX_UINT)).toBe(true);
    expect(credit.grant(MAX_UINT)).toBe(false);
    expect(credit.grant(2n ** 64n - 2n)).toBe(false);
    expect(deliverAll(credit, false)).toBe(10_000);
    expect(() => credit.grant(2n ** 64n)).toThrow(RangeError);
    expect(() => credit.grant(-1)).toThrow(RangeError);
  });

  it('need not be used up [W-328]', () => {
    const credit = new Credit();
    credit.grant(100);
    expect(credit.deliver()).toBe(true);
    expect(credit.limit).toBe(100);
  });

  it('leaves no more than so many deliveries unsettled, 256 by default [W-329, W-330, W-421]', () => {
    const credit = new Credit();
    credit.grant(1000);
    expect(deliverAll(credit, false)).toBe(256);
    expect([credit.available, credit.unsettled]).toEqual([false, 256]);
    expect(credit.settle()).toBe(true);
    expect(deliverAll(credit, false)).toBe(1);
    const small = new Credit({ maxUnsettled: 2 });
    small.grant(10);
    expect(deliverAll(small, false)).toBe(2);
    expect([small.settle(), small.settle(), small.settle()]).toEqual([true, true, false]);
    for (const maxUnsettled of [0, -1, 0.5, NaN]) expect(() => new Credit({ maxUnsettled })).toThrow(RangeError);
  });
});

describe('a cursor', () => {
  it('keeps the largest offset of each level [W-336, W-337, W-338]', () => {
    const cursor = new Cursor([2, 17]);
    expect(cursor.record({ level: 2, offset: 64 })).toBe(true);
    expect([64, 10, 0].map((offset) => cursor.record({ level: 2, offset }))).toEqual([false, false, false]);
    expect(cursor.record({ level: 2, offset: 2n ** 61n })).toBe(true);
    expect(cursor.record({ level: 17, offset: 0 })).toBe(true);
    expect([cursor.at(2), cursor.at(17), cursor.at(3)]).toEqual([2n ** 61n, 0, undefined]);
  });

  it('ignores a level that was not ordered [W-339]', () => {
    const cursor = new Cursor([2]);
    expect(cursor.record({ level: 3, offset: 5 })).toBe(false);
    expect(cursor.at(3)).toBeUndefined();
  });

  it('misses a level that is never reached without a fault [W-240]', () => {
    const { cursor } = new Reports().order([2, 4]);
    cursor.record({ level: 2, offset: 10 });
    expect([cursor.at(2), cursor.at(4)]).toEqual([10, undefined]);
  });

  it('takes levels of any width', () => {
    const cursor = new Cursor([16n, 2n ** 60n]);
    expect(cursor.record({ level: 16, offset: 3n })).toBe(true);
    expect(cursor.record({ level: 2n ** 60n, offset: 1 })).toBe(true);
    expect([cursor.at(16n), cursor.at(2n ** 60n)]).toEqual([3, 1]);
  });
});

describe('reports', () => {
  it('have ids from 1 that are unique on one connection, in one direction [W-241, W-242]', () => {
    const [here, there] = [new Reports(), new Reports()];
    expect([here.order([2]).reportId, here.order([3]).reportId]).toEqual([1, 2]);
    expect(here.close(2)).toBe(true);
    expect(here.order([2]).reportId).toBe(3);
    expect(there.order([2]).reportId).toBe(1);
  });

  it('are found by their id; any other is CANCELED, and makes nothing [W-140, W-340]', () => {
    const reports = new Reports();
    const { reportId, cursor } = reports.order([2]);
    expect(reports.find(reportId)).toBe(cursor);
    expect(reports.find(BigInt(reportId))).toBe(cursor);
    for (const id of [0, 2, 2n ** 64n - 1n]) expect(reports.find(id)).toBe(3);
    expect(reports.size).toBe(1);
    reports.close(reportId);
    expect(reports.find(reportId)).toBe(3);
    expect(reports.close(reportId)).toBe(false);
  });

  it('are ordered in the form of the wire: ascending, each level once', () => {
    expect(new Reports().order([17, 3, 3n, 2n ** 60n, 2]).report).toEqual([2, 3, 17, 2n ** 60n]);
  });
});

describe('the subscriptions of a connection', () => {
  it('change nothing when they are repeated [W-279]', () => {
    const table = new SubscriptionTable();
    expect(table.subscribe('/md', 'a.*')).toBe('added');
    table.grant('/md', 'a.*', 5);
    expect(table.subscribe('/md', 'a.*')).toBe('unchanged');
    expect(table.size).toBe(1);
    expect(table.match('/md', 'a.b')).toMatchObject([{ credit: { limit: 5 } }]);
  });

  it('are not harmed by an UNSUBSCRIBE of what is not there [W-280]', () => {
    const table = new SubscriptionTable();
    table.subscribe('/md', 'a');
    for (const [path, filter] of [['/md', 'b'], ['/other', 'a'], ['', '']] as const) expect(table.unsubscribe(path, filter)).toBe(false);
    expect(table.size).toBe(1);
    expect(table.unsubscribe('/md', 'a')).toBe(true);
    expect(table.unsubscribe('/md', 'a')).toBe(false);
    expect([table.size, table.match('/md', 'a')]).toEqual([0, []]);
  });

  it('are recorded for a path that nobody serves yet [W-281, W-282]', () => {
    const table = new SubscriptionTable();
    expect(table.subscribe('/later', '#')).toBe('added');
    expect(table.match('/later', 'x').map(({ filter }) => filter.text)).toEqual(['#']);
  });

  it('are 256 at most, over all paths; the next is LIMIT_EXCEEDED [W-283, W-284, W-405]', () => {
    const table = new SubscriptionTable();
    for (let i = 0; i < 256; i++) expect(table.subscribe(`/p${i % 3}`, `f${i}`)).toBe('added');
    expect(table.subscribe('/new', 'x')).toBe('limit-exceeded');
    expect(table.subscribe('/p0', 'f0')).toBe('unchanged');
    table.unsubscribe('/p0', 'f0');
    expect(table.subscribe('/new', 'x')).toBe('added');
    expect(new SubscriptionTable({ maxSubscriptions: 1 }).subscribe('/a', '')).toBe('added');
  });

  it('are gone with it, and another connection begins with none [W-108, W-285]', () => {
    const table = new SubscriptionTable();
    table.subscribe('/md', '');
    table.grant('/q', '', 9);
    table.clear();
    expect([table.size, table.match('/md', 'a')]).toEqual([0, []]);
    table.subscribe('/q', '');
    expect(table.match('/q', '')[0]!.credit.limit).toBe(0);
    expect(new SubscriptionTable().match('/md', 'a')).toEqual([]);
  });

  it('compare a path as a whole [W-390]', () => {
    const table = new SubscriptionTable();
    table.subscribe('/md', '');
    for (const path of ['/md/', '/MD', '/md/x', '/', '/m', '/md?x', '/x/../md', '*', '#']) expect(table.match(path, 'a')).toEqual([]);
  });

  it('are told apart by path and filter where credit is granted [W-319]', () => {
    const table = new SubscriptionTable();
    for (const [path, filter] of [['/q', ''], ['/q', 'a'], ['/r', 'a']] as const) table.subscribe(path, filter);
    expect(table.grant('/q', 'a', 5)).toBe(true);
    expect(table.match('/q', 'a').map(({ filter, credit }) => [filter.text, credit.limit])).toEqual(expect.arrayContaining([['', 0], ['a', 5]]));
    expect(table.match('/r', 'a').map(({ credit }) => credit.limit)).toEqual([0]);
  });

  it('are untouched by a CREDIT for a path without a queue, as the connection is [W-138]', () => {
    const table = new SubscriptionTable();
    table.subscribe('/md', 'px.eur');
    expect(table.grant('/jobs', 'px.eur', 5)).toBe(false);
    expect([table.size, table.match('/jobs', 'px.eur'), table.match('/md', 'px.eur')[0]!.credit.limit]).toEqual([1, [], 0]);
  });

  it('keep a grant that overtakes its SUBSCRIBE, within the same bound (OPEN-17)', () => {
    const table = new SubscriptionTable({ maxSubscriptions: 2 });
    expect(table.grant('/q', 'a', 5)).toBe(false);
    expect(table.grant('/q', 'a', 3)).toBe(false);
    table.subscribe('/q', 'a');
    expect(table.match('/q', 'a')[0]!.credit.limit).toBe(5);
    for (const filter of ['x', 'y', 'z']) table.grant('/q', filter, 9);
    table.subscribe('/q', 'x');
    expect(table.match('/q', 'x')[0]!.credit.limit).toBe(0);
    table.unsubscribe('/q', 'a');
    table.subscribe('/q', 'y');
    expect(table.match('/q', 'y')[0]!.credit.limit).toBe(9);
    table.unsubscribe('/q', 'y');
    table.subscribe('/q', 'z');
    expect(table.match('/q', 'z')[0]!.credit.limit).toBe(9);
    table.unsubscribe('/q', 'z');
    table.subscribe('/q', 'z');
    expect(table.match('/q', 'z')[0]!.credit.limit).toBe(0);
  });

  it('that match are all found, so that one copy can go to each subscriber [W-384]', () => {
    const tables = ['a.*', '#', 'b'].map((filter) => {
      const table = new SubscriptionTable();
      table.subscribe('/md', filter);
      return table;
    });
    expect(tables.map((table) => table.match('/md', 'a.x').length > 0)).toEqual([true, true, false]);
  });

  it('refuse a filter that is none', () => {
    const table = new SubscriptionTable();
    expect(errorOf(() => table.subscribe('/md', 'a*')).code).toBe('filter-wildcard');
    expect(table.size).toBe(0);
  });
});

describe('what waits for one subscriber', () => {
  it('is bounded, by 8 MiB: a copy beyond is lost to it alone, and counted [W-397, W-398, W-406]', () => {
    const [slow, fast] = [new FanOutBuffer(), new FanOutBuffer()];
    expect(slow.offer(8_388_608)).toBe('queued');
    expect([slow.offer(1), fast.offer(1)]).toEqual(['dropped', 'queued']);
    expect([slow.dropped, fast.dropped, slow.bytes, fast.bytes]).toEqual([1, 0, 8_388_608, 1]);
    slow.release(10);
    expect([slow.offer(10), slow.offer(1)]).toEqual(['queued', 'dropped']);
  });

  it('is never larger than the bound: that publication fails for all [W-399]', () => {
    const buffer = new FanOutBuffer({ subscriberBufferBytes: 100 });
    expect([buffer.offer(101), buffer.dropped, buffer.offer(100)]).toEqual(['too-large', 0, 'queued']);
  });

  it('counts a copy that found no parked connection, and waits for none [W-045, W-046]', () => {
    const buffer = new FanOutBuffer();
    buffer.drop();
    expect([buffer.dropped, buffer.bytes]).toEqual([1, 0]);
  });
});

describe('the account of a queue', () => {
  it('charges payload, labels and 256 octets for each message, against 8 MiB [W-418]', () => {
    expect(MESSAGE_OVERHEAD_BYTES).toBe(256);
    const account = new QueueAccount();
    expect(account.admit({ payloadBytes: 1000, labelBytes: 20 })).toBe(true);
    expect([account.bytes, account.messages]).toEqual([1276, 1]);
    expect(account.admit({ payloadBytes: 8_388_608 - 1276 - 256 })).toBe(true);
    expect(account.admit({ payloadBytes: 0 })).toBe(false);
  });

  it('admits nothing at its bound, and keeps what it has [W-419]', () => {
    const account = new QueueAccount({ queueBytes: 512 });
    expect([account.admit({ payloadBytes: 0 }), account.admit({ payloadBytes: 0 }), account.admit({ payloadBytes: 0 })]).toEqual([true, true, false]);
    expect(account.messages).toBe(2);
  });

  it('frees the octets of a message with its outcome, not with its delivery [W-331]', () => {
    const account = new QueueAccount({ queueBytes: 300 });
    const credit = new Credit();
    credit.grant(9);
    account.admit({ payloadBytes: 44 });
    credit.deliver();
    expect(account.admit({ payloadBytes: 44 })).toBe(false);
    credit.settle();
    account.settle({ payloadBytes: 44 });
    expect([account.bytes, account.admit({ payloadBytes: 44 })]).toEqual([0, true]);
    account.settle({ payloadBytes: 44 });
    expect(() => account.settle({ payloadBytes: 44 })).toThrow(RangeError);
  });
});
