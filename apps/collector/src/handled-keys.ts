/** Calls remembered, those that gave no Event among them, which no log knows. */
export const MAX_HANDLED_KEYS = 10_000;

/** Remembers the keys of calls that were handled, the latest ones. */
export interface HandledKeys {
  has(session: string, key: string): boolean;
  add(session: string, key: string): void;
}

/** Makes a {@link HandledKeys}. A key counts within its session: another one cannot use it up. */
export function handledKeys(max: number = MAX_HANDLED_KEYS): HandledKeys {
  const keys = new Set<string>();
  const name = (session: string, key: string): string => `${key}${session}`;
  return {
    has: (session, key) => keys.has(name(session, key)),
    add(session, key) {
      keys.add(name(session, key));
      if (keys.size > max) for (const oldest of keys) return void keys.delete(oldest);
    },
  };
}
