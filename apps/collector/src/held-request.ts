import { AdapterError, type AdapterDefinition } from '@aepkit/adapter-kit';
import type { AepEvent, WireEvent } from '@aepkit/envelope';

/** Whether an Event is a request that control answers. At `none` there is no data to tell by. */
export function isHeldRequest({ event: { type, data } }: WireEvent): boolean {
  return type === 'attention.requested' && (data === undefined || (Array.isArray(data.respond_via) && data.respond_via.includes('control')));
}

/** What a call asks, if anything. One that cannot be read is refused where it is taken. */
export function questionOf(definition: AdapterDefinition, payload: unknown): ReturnType<AdapterDefinition['question']> {
  try {
    return definition.question(payload);
  } catch (error) {
    if (error instanceof AdapterError) return undefined;
    throw error;
  }
}

/** The request as its options were offered, also where a ceiling left no data in the Event. */
export function asked(request: AepEvent, options: readonly string[]): AepEvent {
  return Array.isArray(request.data?.options) ? request : { ...request, data: { kind: 'permission', options: options.map((id) => ({ id, label: id })) } };
}
