// Runs where the package is installed alone: see packaging/README.md.
export const expected = ['run.started', 'run.finished'];

export function run({ programs: [{ onHook }] }) {
  const calls = [
    { session_id: 's', hook_event_name: 'Prompt', prompt: 'Do it' },
    { session_id: 's', hook_event_name: 'Done' },
  ];
  return calls.flatMap((call) => onHook(JSON.stringify(call))).map((json) => JSON.parse(json).type);
}
