export { DEFAULT_MAX_REMEMBERED_SESSIONS, fileEpochs } from './file-epochs.js';
export { EpochStoreError } from './errors.js';

export type { EpochStoreErrorCode } from './errors.js';
export type { FileEpochsOptions } from './file-epochs.js';
