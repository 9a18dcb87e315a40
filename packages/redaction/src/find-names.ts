import type { TextWindow } from './text-window.js';

/** A configured value in one of the forms it is written in, with its shortest period. */
export interface NameForm {
  readonly text: string;
  readonly period: number;
}

/** The values that were configured, and how they look in JSON, in addresses and in HTML. */
export function nameForms(names: readonly string[]): readonly NameForm[] {
  const forms = new Set<string>();
  for (const name of names) {
    for (const value of [name, name.trim()]) {
      if (value.length < 4) continue;
      forms.add(value);
      const escaped = JSON.stringify(value).slice(1, -1);
      forms.add(escaped);
      forms.add(JSON.stringify(escaped).slice(1, -1));
      forms.add(escaped.replaceAll('/', '\\/'));
      if (value.isWellFormed()) {
        const encoded = encodeURIComponent(value);
        forms.add(encoded);
        forms.add(encoded.replaceAll('%20', '+'));
        forms.add(encoded.replace(/%[0-9A-F]{2}/g, (part) => part.toLowerCase()));
      }
      forms.add(value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'));
    }
  }
  return [...forms].map((text) => ({ text, period: periodOf(text) }));
}

/** Shortest distance at which a text overlaps itself, by the failure function of Knuth, Morris and Pratt. */
function periodOf(text: string): number {
  const failure = new Int32Array(text.length);
  let length = 0;
  for (let at = 1; at < text.length; at += 1) {
    while (length > 0 && text[at] !== text[length]) length = failure[length - 1] ?? 0;
    if (text[at] === text[length]) length += 1;
    failure[at] = length;
  }
  return text.length - (failure[text.length - 1] ?? 0);
}

/** Configured values (AEP-0003 §9.4b). Overlapping occurrences of one value are taken as a whole, in linear time. */
export function findNames(window: TextWindow, forms: readonly NameForm[]): void {
  const { text } = window;
  for (const { text: form, period } of forms) {
    if (!window.final && form.includes('\n')) window.undecided(Math.max(0, text.length - form.length + 1));
    for (let at = text.indexOf(form); at >= 0; ) {
      let end = at + form.length;
      while (end < text.length && text[end] === text[end - period]) end += 1;
      window.work += end - at;
      end -= (end - at - form.length) % period;
      if (!inPlaceholder(text, at, end)) {
        // One by one: what a hit is may not depend on where reading began.
        for (let from = at; from + form.length <= end; from += period) window.hit('configured-name', from, from, from + form.length);
      }
      at = text.indexOf(form, end - form.length + period);
    }
  }
}

/** `secret` as a value must not eat the placeholders. */
function inPlaceholder(text: string, start: number, end: number): boolean {
  const open = text.lastIndexOf('[REDACTED:', start);
  if (open < 0 || start - open > 17) return end - start <= 17 && '[REDACTED:secret]'.includes(text.slice(start, end)) && isPartBefore(text, start, end);
  const close = text.indexOf(']', open);
  return close >= 0 && close - open <= 16 && end <= close + 1 && /^\[REDACTED:(?:secret|pii)\]$/.test(text.slice(open, close + 1));
}

function isPartBefore(text: string, start: number, end: number): boolean {
  return text.slice(start, end).startsWith('[') && text.startsWith('[REDACTED:', start);
}
