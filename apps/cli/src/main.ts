// The entry of `aep`. A hook runs in front of every tool call of an agent, so its path loads nothing but itself.
const [command, ...rest] = process.argv.slice(2);
// Loading the list of the adapters takes longer than the rest.
const HOOK_AGENTS = ['claude-code', 'codex', 'gemini-cli'];

const hold = /^(?: --hold[ =](\d{1,4}))?$/.exec(rest.slice(1).map((word) => ` ${word}`).join(''));

if (command === 'hook' && rest[0] !== undefined && HOOK_AGENTS.includes(rest[0]) && hold !== null) {
  const { runHookShim } = await import('./hook-shim.js');
  await runHookShim(rest[0], { holdMs: Number(hold[1] ?? 0) * 1000 });
} else if ((command === '--version' || command === '-V') && rest.length === 0) {
  const { VERSION } = await import('./version.js');
  process.stdout.write(`${VERSION}\n`);
} else {
  const { runProgram } = await import('./program.js');
  const code = await runProgram(process.argv);
  // Claude Code takes 2 of a hook for "block this call"; a misspelt hook must not do that, and 1 is shown to its user.
  process.exitCode = command === 'hook' && code !== 0 ? 1 : code;
}
