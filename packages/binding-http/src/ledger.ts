/** Counts the bytes of bodies under way, all requests together. */
export interface Ledger {
  /** Takes bytes; `false`, and nothing taken, where that would pass the bound. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

/** Makes a {@link Ledger} with a bound in bytes. */
export function ledger(maxBytes: number): Ledger {
  let taken = 0;
  return {
    take(bytes) {
      if (taken + bytes > maxBytes) return false;
      taken += bytes;
      return true;
    },
    give(bytes) {
      taken -= bytes;
    },
  };
}

/** The share of one request in a {@link Ledger}. */
export interface Account {
  take(bytes: number): boolean;
  /** Gives back everything. */
  close(): void;
}

/** Opens an {@link Account}. */
export function openAccount(book: Ledger): Account {
  let held = 0;
  return {
    take(bytes) {
      if (!book.take(bytes)) return false;
      held += bytes;
      return true;
    },
    close() {
      book.give(held);
      held = 0;
    },
  };
}
