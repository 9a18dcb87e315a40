import type { PositionStore, SavedPosition } from '@aepkit/binding-sse/client';

/** How far a link was read, for as long as the relay runs: what it read is held no longer than that. */
export function positionMemory(max: number): PositionStore {
  const places = new Map<string, SavedPosition>();
  return {
    load: () => Promise.resolve([...places.values()]),
    save(changed) {
      for (const position of changed) {
        const key = JSON.stringify([position.source, position.session]);
        places.delete(key);
        places.set(key, position);
      }
      for (const oldest of places.keys()) {
        if (places.size <= max) break;
        places.delete(oldest);
      }
      return Promise.resolve();
    },
  };
}
