import { refuse, type Refusal } from './refusal.js';

/** The two shapes of a POST body (AEP-0003 §3.2). */
export type BodyShape = 'single' | 'batch';

const ACCEPTED = 'application/json, application/x-ndjson';
const OWS = /^[\t ]+|[\t ]+$/g;

/**
 * Reads a `Content-Type` header (AEP-0003 §3.2): the media type without regard to case, parameters allowed, and no
 * charset but UTF-8.
 */
export function bodyShape(header: string | null | undefined): BodyShape | Refusal {
  if (header === 'application/json') return 'single';
  if (header === 'application/x-ndjson') return 'batch';
  const [type = '', ...parameters] = splitParameters(header ?? '');
  const shape = shapeOf(type.toLowerCase());
  if (shape === undefined) {
    return unsupported(
      header === null || header === undefined
        ? 'Content-Type is missing; application/json holds one Event, application/x-ndjson a batch'
        : 'Content-Type is neither application/json nor application/x-ndjson',
    );
  }
  for (const parameter of parameters) {
    const equals = parameter.indexOf('=');
    if (equals < 0 || parameter.slice(0, equals).toLowerCase() !== 'charset') continue;
    if (unquote(parameter.slice(equals + 1)).toLowerCase() !== 'utf-8') return unsupported('only charset utf-8 is taken');
  }
  return shape;
}

function shapeOf(mediaType: string): BodyShape | undefined {
  if (mediaType === 'application/json') return 'single';
  if (mediaType === 'application/x-ndjson') return 'batch';
  return undefined;
}

/** Splits at semicolons outside quoted strings. */
function splitParameters(header: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at < header.length; at += 1) {
    const character = header[at];
    if (quoted && character === '\\') at += 1;
    else if (character === '"') quoted = !quoted;
    else if (character === ';' && !quoted) {
      parts.push(header.slice(start, at).replace(OWS, ''));
      start = at + 1;
    }
  }
  parts.push(header.slice(start).replace(OWS, ''));
  return parts;
}

function unquote(value: string): string {
  return value.length >= 2 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
}

function unsupported(detail: string): Refusal {
  return refuse(415, 'unsupported-media-type', detail, { headers: { accept: ACCEPTED } });
}
