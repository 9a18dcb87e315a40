import type { Position } from '@aepkit/envelope';

/** How far one session of one source has been processed. */
export interface SavedPosition extends Position {
  readonly source: string;
}

/**
 * Where a consumer keeps its positions between runs. One record per `(source, session)`; a later one of the same pair
 * replaces it.
 */
export interface PositionStore {
  /** Read once, at the start of a run. */
  load(): Promise<readonly SavedPosition[]> | readonly SavedPosition[];
  /** Gets what has changed since the last call; calls never overlap. */
  save(changed: readonly SavedPosition[]): Promise<void> | void;
}
