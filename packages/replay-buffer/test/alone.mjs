// Runs where the package is installed alone: see packaging/README.md.
const line = '{"aep":"0.1","id":"e8","type":"tool.requested","time":"2026-01-01T00:00:00Z","source":"aep://h/agent/a","agent":"a","session":"s1","seq":8}';

export const expected = [line, 'session-end', 'exhausted', line, 'session-end'];

export const run = ({ programs: [{ resume }] }) => [...resume(line, 's1', 0, 7), ...resume(line, 's1', 0, 3)];
