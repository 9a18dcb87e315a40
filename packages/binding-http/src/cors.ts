/** Headers for an answer to a page of an allowed origin (O-33). Nothing is allowed with credentials: tokens are headers. */
export function corsHeaders(origin: string | undefined): Record<string, string> | undefined {
  if (origin === undefined) return undefined;
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': 'retry-after', vary: 'origin' };
}

/** Headers of the answer to a preflight. */
export function preflightHeaders(origin: string): Record<string, string> {
  return {
    ...corsHeaders(origin),
    'access-control-allow-methods': 'GET, HEAD, POST',
    'access-control-allow-headers': 'authorization, content-type, content-encoding, aep-version',
    'access-control-max-age': '600',
  };
}
