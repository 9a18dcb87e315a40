// Runs where the package is installed alone: see packaging/README.md.
export const expected = [['error.tool', '1']];

export function run({ programs: [{ publish }], logged }) {
  const event = { aep: '0.1', time: '2026-01-01T00:00:00Z', source: 'aep://h/agent/a', agent: 'a' };
  publish({ ...event, id: '1', type: 'error.tool', severity: 'error' });
  publish({ ...event, id: '2', type: 'error.tool', severity: 'notice' });
  publish({ ...event, id: '3', type: 'tool.failed', severity: 'error' });
  return logged;
}
