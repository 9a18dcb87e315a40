const QVALUE = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/**
 * Whether an `Accept` header lets an event stream through. Only a header that clearly excludes it does not: many plain clients
 * send none, or `*\/*`. The most specific range decides.
 */
export function acceptsEventStream(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  let best = -1;
  let accepted = false;
  for (const entry of accept.toLowerCase().split(',')) {
    const [range = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const rank = range === 'text/event-stream' ? 2 : range === 'text/*' ? 1 : range === '*/*' || range === '*' ? 0 : -1;
    if (rank < 0 || rank < best) continue;
    const weight = parameters.map((parameter) => QVALUE.exec(parameter.replaceAll(' ', ''))?.[1]).find((found) => found !== undefined);
    const wanted = weight === undefined || Number(weight) > 0;
    accepted = rank > best ? wanted : accepted || wanted;
    best = rank;
  }
  return accepted;
}
