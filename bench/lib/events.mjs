// Events of 650 bytes, as the targets of the design have them.
const NOTE = 'x'.repeat(650);

/** The text of one Event of about 650 bytes. */
export function eventText(seq, { session = 's1', id = `01J9ZK3V5M${String(seq).padStart(16, '0')}`, severity = 'info', type = 'tool.completed', bytes = 650 } = {}) {
  const event = {
    aep: '0.1', id, type, time: '2026-05-04T10:11:12.345Z', source: `aep://host/agent/claude-code/session/${session}`,
    agent: 'claude-code', session, run: 'run-1', seq, severity, capture: 'metadata',
    data: { tool: { name: 'Bash', call_id: `toolu_${seq}` }, duration_ms: 1234, exit_code: 0, note: '' },
  };
  const short = JSON.stringify(event).length;
  event.data.note = NOTE.slice(0, Math.max(0, bytes - short));
  return JSON.stringify(event);
}
