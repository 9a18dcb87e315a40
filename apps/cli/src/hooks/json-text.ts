import { createScanner, getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

import { SettingsError } from './settings-error.js';

/** A text with the places of what is in it. Comments and trailing commas are allowed. */
export interface JsonText {
  readonly text: string;
  readonly root: Node;
}

/** Kinds of tokens as the scanner numbers them: its own names exist only while it is compiled. */
const TOKEN = { openBrace: 1, closeBrace: 2, openBracket: 3, closeBracket: 4, comma: 5, lineComment: 12, lineBreak: 14, trivia: 15, end: 17 } as const;

/** Deepest nesting that is read. */
const MAX_DEPTH = 200;

/** Reads a JSON text; the first thing that is wrong is named with its line and column. */
export function readJsonText(text: string): JsonText {
  checkDepth(text);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, disallowComments: false, allowEmptyContent: false });
  const [first] = errors;
  if (first !== undefined || root === undefined) {
    const { offset = 0, error } = first ?? {};
    throw new SettingsError('broken', `is no JSON (${error === undefined ? 'empty' : words(printParseErrorCode(error))} at ${placeOf(text, offset)})`);
  }
  return { text, root };
}

/** The parser calls itself for every level. */
function checkDepth(text: string): void {
  let depth = 0;
  const scanner = createScanner(text, true);
  for (let token: number = scanner.scan(); token !== TOKEN.end; token = scanner.scan()) {
    if (token === TOKEN.openBrace || token === TOKEN.openBracket) depth += 1;
    else if (token === TOKEN.closeBrace || token === TOKEN.closeBracket) depth -= 1;
    if (depth > MAX_DEPTH) throw new SettingsError('broken', `is nested deeper than ${MAX_DEPTH} levels`);
  }
}

function words(code: string): string {
  return code.replace(/(?<=.)([A-Z])/g, ' $1').toLowerCase();
}

function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

/** Whether a strict JSON parser takes the text as well. */
export function isStrictJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The value of a node, as `JSON.parse` would give it. */
export function valueOf(node: Node): unknown {
  return getNodeValue(node) as unknown;
}

/** The value node of a member of an object. A name that stands there twice is refused: readers differ in which one counts. */
export function memberOf(node: Node, name: string): Node | undefined {
  const found = (node.children ?? []).filter(({ children }) => children?.[0]?.value === name);
  if (found.length > 1) throw new SettingsError('unknown-shape', `has the member ${JSON.stringify(name)} twice`);
  return found[0]?.children?.[1];
}

/** Adds an element at the end of an array. */
export function appendElement({ text }: JsonText, array: Node, value: unknown): string {
  return append(text, array, (form) => render(value, form));
}

/** Adds a member at the end of an object. */
export function appendMember({ text }: JsonText, object: Node, name: string, value: unknown): string {
  return append(text, object, (form) => `${JSON.stringify(name)}:${form.kind === 'compact' ? '' : ' '}${render(value, form)}`);
}

/** How a value is laid out: as the container is that gets it. */
type Form = { readonly kind: 'compact' } | { readonly kind: 'inline' } | { readonly kind: 'block'; readonly eol: string; readonly unit: string; readonly indent: string };

function append(text: string, container: Node, item: (form: Form) => string): string {
  const { comma, tail, tailIsLine } = after(text, container, container.children?.length ?? 0);
  const form = formOf(text, container);
  const last = container.children?.at(-1);
  const lead = form.kind === 'block' ? form.eol + form.indent : tailIsLine ? eolOf(text) : form.kind === 'inline' && last !== undefined ? ' ' : '';
  if (last === undefined) {
    const close = endOf(container) - 1;
    const ending = form.kind === 'block' && !/[\r\n]/.test(text.slice(tail, close)) ? form.eol + lineIndent(text, container.offset) : '';
    return splice(text, [[tail, tail, lead + item(form) + ending]]);
  }
  if (comma !== undefined) return splice(text, [[tail, tail, `${lead}${item(form)},`]]);
  return splice(text, [
    [endOf(last), endOf(last), ','],
    [tail, tail, lead + item(form)],
  ]);
}

/**
 * Takes a child out of its container, with the white space ahead of it and the comma that it needed: the exact undoing of an
 * append, and in the middle of a list as well.
 */
export function removeChild(text: string, container: Node, index: number): string {
  const children = container.children ?? [];
  const child = children[index];
  if (child === undefined) return text;
  const before = after(text, container, index);
  const { comma, tail } = after(text, container, index + 1);
  const [start, end] = [child.offset, endOf(child)];
  const rest = text.slice(comma === undefined ? end : comma + 1);
  // What follows a line comment must not come to stand in it.
  const from = before.tailIsLine && !/^[ \t]*(\r?\n|\/\/)/.test(rest) ? start : before.tail;
  const edits: Edit[] = [[from, end, '']];
  if (comma !== undefined) edits.push([comma, comma + 1, '']);
  else if (before.comma !== undefined) edits.unshift([before.comma, before.comma + 1, '']);
  const alone = children.length === 1 && before.tail === container.offset + 1 && tail === (comma === undefined ? end : comma + 1);
  if (alone) return splice(text, [[container.offset + 1, endOf(container) - 1, '']]);
  return splice(text, edits);
}

/** What stands between a child (or the opening bracket) and the next one (or the closing bracket). */
function after(text: string, container: Node, index: number): { comma: number | undefined; tail: number; tailIsLine: boolean } {
  const children = container.children ?? [];
  const previous = children[index - 1];
  const from = previous === undefined ? container.offset + 1 : endOf(previous);
  const to = children[index]?.offset ?? endOf(container) - 1;
  const scanner = createScanner(text, false);
  scanner.setPosition(from);
  let comma: number | undefined;
  let tail = from;
  let tailIsLine = false;
  for (let token: number = scanner.scan(); token !== TOKEN.end && scanner.getTokenOffset() < to; token = scanner.scan()) {
    if (token === TOKEN.trivia || token === TOKEN.lineBreak) continue;
    if (token === TOKEN.comma) comma = scanner.getTokenOffset();
    tail = scanner.getTokenOffset() + scanner.getTokenLength();
    tailIsLine = token === TOKEN.lineComment;
  }
  return { comma, tail, tailIsLine };
}

function formOf(text: string, container: Node): Form {
  const first = container.children?.[0];
  if (!/[\r\n]/.test(text.trim()) && text.trim() !== '{}') return /[:,] /.test(text) ? { kind: 'inline' } : { kind: 'compact' };
  if (first !== undefined && !/[\r\n]/.test(text.slice(container.offset, first.offset))) return { kind: 'inline' };
  const unit = unitOf(text);
  const indent = first === undefined ? lineIndent(text, container.offset) + unit : lineIndent(text, first.offset);
  return { kind: 'block', eol: eolOf(text), unit, indent };
}

/** The white space at the beginning of the line of a place. */
function lineIndent(text: string, offset: number): string {
  const start = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

/** One step of indentation, as the first indented line has it. */
function unitOf(text: string): string {
  return /[\r\n]([ \t]+)["'}\]]/.exec(text)?.[1] ?? '  ';
}

function eolOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

/** Lays a value out. */
function render(value: unknown, form: Form): string {
  if (form.kind === 'compact') return JSON.stringify(value);
  if (form.kind === 'inline') return inline(value);
  return JSON.stringify(value, null, '\t')
    .split('\n')
    .map((line, index) => {
      const tabs = /^\t*/.exec(line)?.[0].length ?? 0;
      return (index === 0 ? '' : form.indent) + form.unit.repeat(tabs) + line.slice(tabs);
    })
    .join(form.eol);
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${inline(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** From, to, and what comes there. */
type Edit = readonly [number, number, string];

/** Applies edits, which are in order and do not overlap. */
function splice(text: string, edits: readonly Edit[]): string {
  let result = '';
  let at = 0;
  for (const [from, to, put] of edits) {
    result += text.slice(at, from) + put;
    at = to;
  }
  return result + text.slice(at);
}

function endOf(node: Node): number {
  return node.offset + node.length;
}
