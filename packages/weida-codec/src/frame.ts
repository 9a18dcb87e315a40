import { type CreditFrame } from './credit-frame.js';
import { type CursorFrame } from './cursor-frame.js';
import { type DataFrame } from './data-frame.js';
import { type ErrorFrame } from './error-frame.js';
import { type HelloFrame } from './hello-frame.js';
import { type SubscriptionFrame } from './subscription-frame.js';

/** A frame of weida 0: its kind and the fields of its header. */
export type Frame = HelloFrame | DataFrame | ErrorFrame | SubscriptionFrame<'SUBSCRIBE'> | SubscriptionFrame<'UNSUBSCRIBE'> | CreditFrame | CursorFrame;
