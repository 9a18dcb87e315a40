import { SseConsumerError } from './errors.js';
import type { PositionStore, SavedPosition } from './position-store.js';

/** Writes positions to a store, one call at a time: what moves meanwhile goes into the next. */
export interface PositionSaver {
  load(): Promise<readonly SavedPosition[]>;
  /** Something has moved. Throws what an earlier call failed with. */
  changed(): void;
  /** Waits until everything is saved. */
  flush(): Promise<void>;
}

/** Makes a {@link PositionSaver}. All its errors are `store-failed`. */
export function positionSaver(store: PositionStore, takeChanged: () => readonly SavedPosition[]): PositionSaver {
  let running: Promise<void> | undefined;
  let failure: SseConsumerError | undefined;
  let told = false;

  const save = async (): Promise<void> => {
    // What this turn changes goes into one call, and `running` is set before it can be cleared.
    await Promise.resolve();
    try {
      for (let changed = takeChanged(); changed.length > 0; changed = takeChanged()) await store.save(changed);
    } catch (cause) {
      failure ??= new SseConsumerError('store-failed', 'Positions could not be saved.', cause);
    } finally {
      running = undefined;
    }
  };
  const tell = (): void => {
    if (failure === undefined || told) return;
    told = true;
    throw failure;
  };
  return {
    async load() {
      try {
        return await store.load();
      } catch (cause) {
        throw new SseConsumerError('store-failed', 'Positions could not be loaded.', cause);
      }
    },
    changed() {
      tell();
      running ??= save();
    },
    async flush() {
      await running;
      if (failure === undefined) await save();
      tell();
    },
  };
}
