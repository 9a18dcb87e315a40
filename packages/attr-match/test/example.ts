import { FilterIndex, parseFilter } from '@aepkit/attr-match';
import type { AepEvent } from '@aepkit/envelope';

const subscriptions = new FilterIndex<(event: AepEvent) => void>();
const filter = parseFilter('{"type":["error.*","tool.denied"],"severity":{"gte":"warning"}}');
export const entry = subscriptions.add(filter, (event) => console.log(event.type, event.id));

export function publish(event: AepEvent): void {
  subscriptions.forEachMatch(event, (deliver) => deliver(event));
}
