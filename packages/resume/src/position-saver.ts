import type { PositionStore, SavedPosition } from './position-store.js';

/** Writes positions to a store, one call at a time: what moves meanwhile goes into the next. */
export interface PositionSaver {
  /** What an earlier run saved. */
  load(): Promise<readonly SavedPosition[]>;
  /** Something may have moved. Throws what an earlier call failed with, once. */
  changed(): void;
  /** Waits until everything is saved. Rejects with what failed, unless that was told before. */
  flush(): Promise<void>;
}

/**
 * Makes a {@link PositionSaver}.
 *
 * @param store - Where positions are kept.
 * @param takeChanged - Gives what has moved since it was called last: that of {@link Memory} or {@link ProcessedPositions}.
 * @param failed - Makes the error that is thrown, with the error of the store as `cause`.
 */
export function positionSaver(
  store: PositionStore,
  takeChanged: () => readonly SavedPosition[],
  failed: (message: string, cause: unknown) => Error,
): PositionSaver {
  let running: Promise<void> | undefined;
  let failure: Error | undefined;
  let told = false;

  const save = async (): Promise<void> => {
    // What this turn changes goes into one call, and `running` is set before it can be cleared.
    await Promise.resolve();
    try {
      for (let changed = takeChanged(); changed.length > 0; changed = takeChanged()) await store.save(changed);
    } catch (cause) {
      failure ??= failed('Positions could not be saved.', cause);
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
        // A store may hold nothing yet, or what somebody else has written.
        const saved = ((await store.load()) as unknown) ?? [];
        if (!Array.isArray(saved) || !saved.every(isSaved)) throw new TypeError('These are no positions.');
        return saved;
      } catch (cause) {
        throw failed('Positions could not be loaded.', cause);
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

function isSaved(value: unknown): value is SavedPosition {
  const { source, session, epoch, seq } = (value ?? {}) as Partial<Record<keyof SavedPosition, unknown>>;
  return typeof source === 'string' && typeof session === 'string' && typeof epoch === 'number' && typeof seq === 'number';
}
