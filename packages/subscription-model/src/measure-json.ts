const ENCODED = /["\\\u0000-\u001f\u0080-\uffff]/;

/**
 * About how many bytes a value takes as JSON text: exact for plain text, never more than three times too small elsewhere. Gives up
 * beyond `most`, so that a huge value costs no more than a large one; does not recurse, so that a deep one costs no stack.
 */
export function measureJson(root: unknown, most: number, maxDepth: number): number | 'too-deep' {
  let size = 0;
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 1 }];
  for (let next = waiting.pop(); next !== undefined && size <= most; next = waiting.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string') size += textSize(value);
    else if (typeof value !== 'object' || value === null) size += String(value).length;
    else if (depth > maxDepth) return 'too-deep';
    else if (Array.isArray(value)) {
      size += 2 + Math.max(0, value.length - 1);
      if (size > most) break;
      for (const item of value) waiting.push({ value: item, depth: depth + 1 });
    } else {
      const members = Object.entries(value);
      size += 2 + Math.max(0, members.length - 1);
      for (const [name, member] of members) {
        size += textSize(name) + 1;
        waiting.push({ value: member, depth: depth + 1 });
      }
    }
  }
  return size;
}

function textSize(text: string): number {
  if (!ENCODED.test(text)) return text.length + 2;
  return JSON.stringify(text).length;
}
