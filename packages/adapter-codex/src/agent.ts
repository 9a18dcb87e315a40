/** The agent's name on every Event, and the vendor token of its own types. */
export const AGENT = 'codex';
