// Runs where the package is installed alone: see packaging/README.md.
export const expected = ['session.started', 'session.ended'];

export function run({ programs: [{ onHook }] }) {
  const calls = [
    { session_id: 's', hook_event_name: 'SessionStart', source: 'startup' },
    { session_id: 's', hook_event_name: 'SessionEnd', reason: 'other' },
  ];
  return calls.flatMap((call) => onHook(JSON.stringify(call))).map((json) => JSON.parse(json).type);
}
