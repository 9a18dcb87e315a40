import type { LogMark } from '@aepkit/hub';
import type { HistoryErrorCode } from './errors.js';
import type { Group, Outcome } from './group.js';

/** What the writer's thread is asked. Each is answered once, in order. */
export type Request = { readonly type: 'commit'; readonly group: Group } | { readonly type: 'index' } | { readonly type: 'close' };

/** What it answers; `ready`, or `failed`, unasked when it has started. */
export type Answer =
  | { readonly type: 'ready'; readonly mark: LogMark }
  | { readonly type: 'outcome'; readonly outcome: Outcome }
  | { readonly type: 'indexed'; readonly indexed: LogMark }
  | { readonly type: 'closed' }
  | { readonly type: 'failed'; readonly code: HistoryErrorCode; readonly message: string };
