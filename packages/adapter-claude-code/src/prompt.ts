import { permissionPrompt } from '@aepkit/adapter-kit';
import type { JsonObject } from '@aepkit/envelope';

/** Members of the inputs of the agent's tools that say what a call is about, in order. */
const ABOUT = ['command', 'file_path', 'notebook_path', 'url', 'path', 'pattern', 'query', 'plan', 'prompt'];

/** The prompt of a permission request. Content. */
export function promptOf(tool: string, input: JsonObject | undefined): string {
  const member = (name: string): string | undefined => {
    const value = input !== undefined && Object.hasOwn(input, name) ? input[name] : undefined;
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const about = ABOUT.map(member).find((value) => value !== undefined);
  return permissionPrompt(tool, about, member('description'));
}
