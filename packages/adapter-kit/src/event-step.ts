import type { Draft } from './draft.js';
import type { Step, StepScope } from './step.js';

/** Any other Event. `scope`: `run` (default), `session` for one outside of any run, `agent` for one about the agent, outside of any session. */
export function event({ scope = 'run', ...draft }: Draft & { readonly scope?: StepScope }): Step {
  return { do: 'emit', scope, event: draft };
}
