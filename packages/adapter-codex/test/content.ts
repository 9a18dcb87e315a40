/** Where in a payload a text is no content: names, ids and structural words, which any Event may tell. */
const STRUCTURAL = new Set([
  'session_id', 'hook_event_name', 'turn_id', 'model', 'source', 'tool_name', 'tool_use_id', 'trigger', 'agent_id', 'agent_type', 'permission_mode', 'reason',
]);

/** What an Event may tell from `redacted` on, once it has passed the pipeline. */
const REDACTED = new Set(['cwd', 'prompt', 'tool_input', 'tool_response']);

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
    else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) walk(item, level);
  };
  for (const [name, value] of Object.entries(payload)) if (!STRUCTURAL.has(name)) walk(value, REDACTED.has(name) ? 'redacted' : 'never');
  // Four letters are no content that could be told from a word of ours.
  return found.map(({ text, level }) => ({ text: text.trim(), level })).filter(({ text }) => text.length > 4);
}

/** A text as it stands inside of JSON. */
export function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
