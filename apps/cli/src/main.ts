// The entry of `aep`. A hook runs in front of every tool call of an agent, so its path loads nothing but itself.
const [command, ...rest] = process.argv.slice(2);
// Loading the list of the adapters takes longer than the rest.
const HOOK_AGENTS = ['claude-code', 'codex', 'gemini-cli'];

const hold = /^(?: --hold[ =](\d{1,4}))?$/.exec(rest.slice(1).map((word) => ` ${word}`).join(''));

if (command === 'hook' && !rest.includes('--help') && !rest.includes('-h')) {
  const [agent = ''] = rest;
  if (HOOK_AGENTS.includes(agent)) {
    const { runHookShim } = await import('./hook-shim.js');
    await runHookShim(agent, { holdMs: Number(hold?.[1] ?? 0) * 1000, misread: hold === null });
  } else {
    const { passNothing } = await import('./pass-nothing.js');
    await passNothing(`the agent has to be one of ${HOOK_AGENTS.join(', ')}`);
  }
} else if ((command === '--version' || command === '-V') && rest.length === 0) {
  const { VERSION } = await import('./version.js');
  process.stdout.write(`${VERSION}\n`);
} else {
  const { runProgram } = await import('./program.js');
  process.exitCode = await runProgram(process.argv);
}
