/** Fewest characters of a token. */
export const MIN_TOKEN_CHARS = 16;
/** Most characters of a token, configured or presented. */
export const MAX_TOKEN_CHARS = 1024;
/** Most tokens of one endpoint: each request is compared with every one. */
export const MAX_TOKENS = 1000;
