// Runs where the package is installed alone: see packaging/README.md.
const common = { aep: '0.1', time: '2026-01-01T00:00:00Z', session: 's' };
const request = { ...common, id: 'r', type: 'attention.requested', source: 'aep://h/agent/a', agent: 'a', seq: 1, data: { kind: 'permission', prompt: '?', options: [{ id: 'allow', label: 'Allow' }] } };

export const expected = ['control.rejected', 'control.accepted', 'allow'];

export async function run({ programs: [{ answerable }] }) {
  const seen = [];
  const wiring = { mint: (draft) => ({ event: draft, json: JSON.stringify(draft) }), emit: ({ event }) => void seen.push(event.type) };
  const inbox = answerable(request, (option) => seen.push(option), wiring);
  for (const option of ['perhaps', 'allow']) {
    const event = { ...common, id: option, type: 'control.attention.respond', source: 'aep://d/agent/d', agent: 'd', subject: 'r', data: { answer: { option } } };
    inbox.receive({ event, json: JSON.stringify(event) });
  }
  return seen;
}
