/** Checks a URL to send to, and gives it without fragment. The message never holds the URL: it may carry secrets. */
export function httpTarget(url: string | URL): string {
  if (!URL.canParse(String(url))) throw new TypeError('url is not a full URL');
  const parsed = new URL(String(url));
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') throw new TypeError('url is not an http or https URL');
  if (parsed.username !== '' || parsed.password !== '') throw new TypeError('url holds a user name or password; use token');
  parsed.hash = '';
  return parsed.href;
}

/** Checks a token. What a header cannot carry is refused here, because `fetch` would quote it in its error. */
export function bearer(token: string | undefined): Record<string, string> {
  if (token === undefined) return {};
  if (!/^[\x21-\x7e]+$/.test(token)) throw new TypeError('token is empty or holds characters that a header cannot carry');
  return { authorization: `Bearer ${token}` };
}
