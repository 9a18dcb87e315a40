/** The tool whose text for the model says how its command ended. */
const SHELL = 'run_shell_command';

/** How much of the end of a text is looked at: a report has a few short lines. */
const REPORT_CHARS = 4096;

const FAILED = /^(?:Exit Code: -?[1-9]\d{0,9}|Signal: \S{1,32})$/;
/** Lines that can follow that one. */
const BEHIND = /^(?:Background PIDs: [\d, ]*|Process Group PGID: \d+|<\/untrusted_context>|)$/;
/** Where a text begins so, there is no report. */
const CANCELLED = /^(?:<untrusted_context>\n)?Command was (?:automatically )?cancelled /;

/**
 * How the command of the shell tool ended, as far as the text that the tool gives the model tells: that is the only place. The report
 * stands behind the output of the command, so that an output which ends with such a line is taken for one.
 */
export function shellReport(tool: string, text: unknown): 'error' | 'cancelled' | undefined {
  if (tool !== SHELL || typeof text !== 'string') return undefined;
  if (CANCELLED.test(text.slice(0, 100))) return 'cancelled';
  for (const line of text.slice(-REPORT_CHARS).split('\n').reverse()) {
    if (FAILED.test(line)) return 'error';
    if (!BEHIND.test(line)) return undefined;
  }
  return undefined;
}
