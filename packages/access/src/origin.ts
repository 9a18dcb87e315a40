import { parseHost, type ParsedHost } from './host.js';

/** An origin whose scheme is `http` or `https`, taken apart. */
export interface WebOrigin {
  readonly scheme: 'http' | 'https';
  readonly host: ParsedHost;
  readonly port: number;
}

const DEFAULT_PORTS = { http: 80, https: 443 } as const;
const OPAQUE_ORIGIN = /^[a-z][a-z0-9+.-]{0,31}:\/\/[A-Za-z0-9._-]{1,253}$/;

/** The port of a host under a scheme, the scheme's own where none is written. */
export function portOf(host: ParsedHost, scheme: 'http' | 'https'): number {
  return host.port ?? DEFAULT_PORTS[scheme];
}

/** Reads an `Origin` header with a web scheme. `null`, paths, several values and other schemes give `undefined`. */
export function parseWebOrigin(text: string): WebOrigin | undefined {
  const scheme = text.startsWith('http://') ? 'http' : text.startsWith('https://') ? 'https' : undefined;
  if (scheme === undefined) return undefined;
  const host = parseHost(text.slice(scheme.length + 3));
  return host && { scheme, host, port: portOf(host, scheme) };
}

/** One spelling per origin, for comparing; `undefined` for what is no origin. */
export function originKey(text: string): string | undefined {
  const web = parseWebOrigin(text);
  if (web) return `${web.scheme}://${web.host.name} ${web.port}`;
  if (/^https?:/i.test(text)) return undefined;
  return OPAQUE_ORIGIN.test(text) ? text : undefined;
}
