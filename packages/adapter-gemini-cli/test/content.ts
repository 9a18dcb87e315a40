/** Where in a payload a text is no content: names, ids and structural words, which any Event may tell. */
const STRUCTURAL = new Set([
  'session_id', 'hook_event_name', 'timestamp', 'source', 'tool_name', 'trigger', 'reason', 'notification_type',
]);

/** The same deeper in: names of the model and of who spoke. */
const NESTED = new Set(['model', 'role']);

/** What an Event may tell from `redacted` on, once it has passed the pipeline. */
const REDACTED = new Set(['cwd', 'prompt', 'message', 'tool_input', 'tool_response']);

export interface Content {
  readonly text: string;
  /** The lowest level at which an Event may hold the text; `never`: at no level. */
  readonly level: 'redacted' | 'never';
}

/** Every text of a payload that is content, as opposed to identifiers and structural words: keys of foreign objects too. */
export function contentOf(payload: Readonly<Record<string, unknown>>): Content[] {
  const found: Content[] = [];
  const walk = (value: unknown, level: Content['level']): void => {
    if (typeof value === 'string') found.push({ text: value, level });
    else if (typeof value === 'object' && value !== null) for (const [name, item] of Object.entries(value)) if (!NESTED.has(name)) walk(item, level);
  };
  for (const [name, value] of Object.entries(payload)) if (!STRUCTURAL.has(name)) walk(value, REDACTED.has(name) ? 'redacted' : 'never');
  const shown = found.filter(({ level }) => level === 'redacted').map(({ text }) => text);
  // Four letters are no content that could be told from a word of ours.
  return found.map(({ text, level }): Content => ({ text: text.trim(), level: shown.some((whole) => whole.includes(text.trim())) ? 'redacted' : level })).filter(({ text }) => text.length > 4);
}

/** A text as it stands inside of JSON. */
export function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
