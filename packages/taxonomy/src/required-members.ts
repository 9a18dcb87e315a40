/** The types whose schema requires members of `data`; a test holds this list equal to the schemas. */
export const requiredMembers: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'run.failed',
  'tool.requested',
  'tool.completed',
  'tool.failed',
  'tool.denied',
  'attention.requested',
  'attention.answered',
  'attention.resolved',
  'agent.presence',
  'agent.health',
  'control.attention.respond',
  'control.cancel',
  'control.rejected',
]);
