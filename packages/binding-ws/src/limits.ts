import { DEFAULT_MAX_BYTES } from '@aepkit/envelope';

/** Largest text message in bytes, unless `maxMessageBytes` says otherwise: 4 MiB, well above any `subscribe` (AEP-0003 §3.5). */
export const DEFAULT_MAX_MESSAGE_BYTES: number = 4 * 1024 * 1024;
/** Largest Event in bytes, unless `maxEventBytes` says otherwise: that of the envelope, 1 MiB. */
export const DEFAULT_MAX_EVENT_BYTES: number = DEFAULT_MAX_BYTES;
