import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

type Payload = Readonly<Record<string, unknown>> & { readonly session_id: string };

const all = readFileSync(fileURLToPath(import.meta.resolve('@aepkit/adapter-claude-code/recordings/sessions.jsonl')), 'utf8')
  .trim()
  .split('\n')
  .map((line) => (JSON.parse(line) as { payload: Payload }).payload);

/** The hook calls of four real sessions: tool success, tool failure, permission approved, permission denied. */
export const recordedSessions: readonly (readonly Payload[])[] = [...new Set(all.map(({ session_id }) => session_id))].map((id) => all.filter(({ session_id }) => session_id === id));
