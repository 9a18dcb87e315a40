import { describe, expect, it } from 'vitest';

import { ledger, openAccount } from '../src/ledger.js';

describe('ledger', () => {
  it('gives out what it has and no more', () => {
    const book = ledger(10);
    expect(book.take(9)).toBe(true);
    expect(book.take(2)).toBe(false);
    expect(book.take(1)).toBe(true);
    expect(book.take(1)).toBe(false);
    book.give(1);
    expect(book.take(1)).toBe(true);
  });

  it('has no end when it is off', () => {
    expect(ledger(Infinity).take(Number.MAX_SAFE_INTEGER)).toBe(true);
  });

  it('gets everything back when an account closes, once', () => {
    const book = ledger(10);
    const first = openAccount(book);
    const second = openAccount(book);
    expect([first.take(4), first.take(4), second.take(4)]).toEqual([true, true, false]);
    first.close();
    first.close();
    expect(second.take(10)).toBe(true);
    expect(second.take(1)).toBe(false);
    second.close();
    expect(openAccount(book).take(10)).toBe(true);
  });
});
