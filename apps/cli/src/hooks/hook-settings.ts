import type { Node } from 'jsonc-parser';

import type { HookAgent, HookAgentName } from './hook-agent.js';
import { parseHookCommand } from './hook-command.js';
import { appendElement, appendMember, isStrictJson, type JsonText, memberOf, readJsonText, removeChild, valueOf } from './json-text.js';
import { SettingsError } from './settings-error.js';

/** A hook that is to be in the settings, or is. */
export interface WantedHook {
  readonly event: string;
  readonly command: string;
  /** In the unit of the agent. */
  readonly timeout: number;
}

/** A hook of ours that was found. */
export interface FoundHook {
  readonly event: string;
  readonly command: string;
  readonly timeout: number | undefined;
  /** Where there is one that does not let everything through. */
  readonly matcher: string | undefined;
  /** Its place in the list of the event, and in its group. */
  readonly group: number;
  readonly handler: number;
}

/** The hooks of ours in a text, in its order. `known` are commands that are ours whatever their program is called. */
export function findHooks(text: string, agent: HookAgent, known: readonly string[] = []): readonly FoundHook[] {
  const hooks = hooksOf(readJsonText(text));
  return hooks === undefined ? [] : (hooks.children ?? []).flatMap((property) => foundIn(property, agent.name, known));
}

function foundIn(property: Node, agent: HookAgentName, known: readonly string[]): FoundHook[] {
  const [name, list] = property.children ?? [];
  if (name === undefined || list?.type !== 'array') return [];
  return (list.children ?? []).flatMap((entry, group) => {
    const handlers = entry.type === 'object' ? memberOf(entry, 'hooks') : undefined;
    if (handlers?.type !== 'array') return [];
    const matcher = memberOf(entry, 'matcher');
    return (handlers.children ?? []).flatMap((item, handler): FoundHook[] => {
      if (item.type !== 'object') return [];
      const [command, timeout] = [memberOf(item, 'command'), memberOf(item, 'timeout')].map((node) => (node === undefined ? undefined : valueOf(node)));
      if (typeof command !== 'string' || parseHookCommand(command, agent, known) === undefined) return [];
      return [
        {
          event: String(name.value),
          command,
          timeout: typeof timeout === 'number' ? timeout : undefined,
          matcher: matcher === undefined || ['', '*', null].includes(matcher.value as string | null) ? undefined : String(matcher.value),
          group,
          handler,
        },
      ];
    });
  });
}

/** Whether the settings have these hooks and no other of ours. */
export function isInstalled(found: readonly FoundHook[], wanted: readonly WantedHook[]): boolean {
  return (
    found.length === wanted.length &&
    wanted.every(({ event, command, timeout }) => found.some((hook) => hook.event === event && hook.command === command && hook.timeout === timeout && hook.matcher === undefined))
  );
}

/** Adds hooks behind those that are there; an empty text gives a file with nothing else in it. */
export function addHooks(text: string, agent: HookAgent, wanted: readonly WantedHook[]): string {
  const blank = text.trim() === '';
  let json = readJsonText(blank ? `{}${/\r\n|\n/.exec(text)?.[0] ?? '\n'}` : text);
  const expected = valueOf(json.root) as { hooks?: Record<string, unknown[]> };
  for (const hook of wanted) {
    const entry = { hooks: [{ ...agent.handlerExtras, type: 'command', command: hook.command, timeout: hook.timeout }] };
    json = readJsonText(withEntry(json, hook.event, entry));
    expected.hooks ??= {};
    (expected.hooks[hook.event] ??= []).push(entry);
  }
  return checked(json, expected);
}

function withEntry(json: JsonText, event: string, entry: object): string {
  const hooks = hooksOf(json);
  if (hooks === undefined) return appendMember(json, json.root, 'hooks', { [event]: [entry] });
  const list = memberOf(hooks, event);
  if (list === undefined) return appendMember(json, hooks, event, [entry]);
  if (list.type !== 'array') throw new SettingsError('unknown-shape', `has something else than a list as hooks.${event}`);
  for (const [index, group] of (list.children ?? []).entries()) {
    if (group.type !== 'object' || memberOf(group, 'hooks')?.type !== 'array') throw new SettingsError('unknown-shape', `has something else than { "hooks": [...] } as hooks.${event}[${index}]`);
  }
  return appendElement(json, list, entry);
}

/**
 * Takes the hooks of ours out, and what that leaves empty. `before` is the text from before they came, where it is known: a list
 * that was empty then stays.
 */
export function removeHooks(text: string, agent: HookAgent, known: readonly string[] = [], before?: string): string {
  const kept = before === undefined || before.trim() === '' ? undefined : hooksOf(readJsonText(before));
  let current = text;
  const expected = withoutHooks(text, agent, known, kept);
  for (let found = findHooks(current, agent, known).at(-1); found !== undefined; found = findHooks(current, agent, known).at(-1)) {
    current = withoutOne(current, found, kept);
  }
  return checked(readJsonText(current), expected);
}

function withoutOne(text: string, { event, group, handler }: FoundHook, kept: Node | undefined): string {
  const { root } = readJsonText(text);
  const hooks = memberOf(root, 'hooks');
  const list = hooks === undefined ? undefined : memberOf(hooks, event);
  const entry = list?.children?.[group];
  const handlers = entry === undefined ? undefined : memberOf(entry, 'hooks');
  if (hooks === undefined || list === undefined || handlers === undefined) return text;
  if ((handlers.children?.length ?? 0) > 1) return removeChild(text, handlers, handler);
  if ((list.children?.length ?? 0) > 1 || (kept !== undefined && memberOf(kept, event) !== undefined)) return removeChild(text, list, group);
  if ((hooks.children?.length ?? 0) > 1 || kept !== undefined) return removeChild(text, hooks, indexOf(hooks, event));
  return removeChild(text, root, indexOf(root, 'hooks'));
}

function indexOf(object: Node, name: string): number {
  return (object.children ?? []).findIndex(({ children }) => children?.[0]?.value === name);
}

/** The same on the value, so that an edit of the text can be proved. */
function withoutHooks(text: string, agent: HookAgent, known: readonly string[], kept: Node | undefined): unknown {
  const value = valueOf(readJsonText(text).root) as { hooks?: Record<string, { hooks: unknown[] }[]> };
  for (const { event, group, handler } of findHooks(text, agent, known).toReversed()) {
    const list = value.hooks?.[event];
    const handlers = list?.[group]?.hooks;
    if (value.hooks === undefined || list === undefined || handlers === undefined) continue;
    handlers.splice(handler, 1);
    if (handlers.length > 0) continue;
    list.splice(group, 1);
    if (list.length > 0 || (kept !== undefined && memberOf(kept, event) !== undefined)) continue;
    Reflect.deleteProperty(value.hooks, event);
    if (Object.keys(value.hooks).length === 0 && kept === undefined) delete value.hooks;
  }
  return value;
}

/** The object with the hooks, after a look at everything that an edit relies on. */
function hooksOf({ root }: JsonText): Node | undefined {
  if (root.type !== 'object') throw new SettingsError('unknown-shape', 'is no JSON object');
  const hooks = memberOf(root, 'hooks');
  if (hooks === undefined) return undefined;
  if (hooks.type !== 'object') throw new SettingsError('unknown-shape', 'has something else than an object as hooks');
  for (const { children } of hooks.children ?? []) memberOf(hooks, String(children?.[0]?.value));
  return hooks;
}

/** Gives the text of an edit that came out as it was meant. */
function checked({ text, root }: JsonText, expected: unknown): string {
  if (JSON.stringify(valueOf(root)) !== JSON.stringify(expected)) throw new SettingsError('unknown-shape', 'cannot be edited in place');
  return text;
}

/** What the agent itself will not like about a file that can be edited all the same. */
export function complaintAbout(text: string, { title, readsComments, rootMembers }: HookAgent): string | undefined {
  if (text.trim() === '') return undefined;
  if (!readsComments && !isStrictJson(text)) return `${title} takes neither comments nor trailing commas, and leaves out the whole file`;
  const { root } = readJsonText(text);
  const extra = rootMembers === undefined ? undefined : (root.children ?? []).map(({ children }) => String(children?.[0]?.value)).find((name) => !rootMembers.includes(name));
  return extra === undefined ? undefined : `${title} knows no member ${JSON.stringify(extra)} in this file, and leaves out the whole file`;
}
