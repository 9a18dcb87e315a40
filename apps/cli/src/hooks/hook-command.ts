import type { HookAgentName } from './hook-agent.js';

/** Quotes a word for the shell that the agents run hooks with, where it needs that. */
export function shellWord(word: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') {
    // Git Bash, cmd and PowerShell all run hooks there, by agent and machine: forward slashes and double quotes mean the same to each.
    const path = word.replaceAll('\\', '/');
    return /^[\w./:@%+=,-]+$/.test(path) ? path : `"${path}"`;
  }
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Whether a word can stand in a command line for any of these shells. */
export function isQuotable(word: string, platform: NodeJS.Platform): boolean {
  if (word === '' || /[\u0000-\u001f\u007f]/.test(word)) return false;
  return platform !== 'win32' || !/["$`%!^&|<>]/.test(word);
}

/** The command line of a hook. */
export function hookCommand(program: readonly string[], agent: HookAgentName, hold: number | undefined, platform: NodeJS.Platform): string {
  const words = program.map((word) => shellWord(word, platform));
  return [...words, 'hook', agent, ...(hold === undefined ? [] : ['--hold', String(hold)])].join(' ');
}

/** A command line of ours, taken apart. */
export interface ParsedHookCommand {
  /** Words of the program: a file, or Node and a script. */
  readonly program: readonly string[];
  readonly hold: number | undefined;
}

/**
 * Takes a command line apart that runs our hook for an agent; undefined for any other. A program that is not called `aep` counts
 * only where it is among those known to be ours: other tools have a `hook` verb as well.
 */
export function parseHookCommand(command: string, agent: HookAgentName, known: readonly string[] = []): ParsedHookCommand | undefined {
  const match = /^(.*\S)\s+hook\s+(\S+)(?:\s+--hold[\s=](\d{1,6}))?\s*$/.exec(command);
  if (match?.[1] === undefined || match[2] !== agent) return undefined;
  const program = splitWords(match[1]);
  const last = program?.at(-1);
  if (program === undefined || last === undefined || program.length > 2) return undefined;
  const name = last.split(/[\\/]/).at(-1) ?? '';
  if (!/^aep(\.(js|cmd|exe|ps1))?$/i.test(name) && !known.includes(command)) return undefined;
  return { program, hold: match[3] === undefined ? undefined : Number(match[3]) };
}

/** The words of a simple command line; undefined where it is none. */
function splitWords(text: string): string[] | undefined {
  const words: string[] = [];
  const word = /\s*((?:'[^']*'|"[^"$`]*"|\\'|[^\s'"|&;<>()$`])+)(?=\s|$)/y;
  for (let at = 0; at < text.length; at = word.lastIndex) {
    word.lastIndex = at;
    const match = word.exec(text);
    if (match?.[1] === undefined) return undefined;
    words.push(match[1].replace(/'([^']*)'|"([^"]*)"|\\(')/g, (_all, single: string | undefined, double: string | undefined, quote: string | undefined) => single ?? double ?? quote ?? ''));
  }
  return words;
}
