import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';

import { type Paint, plain } from '../terminal.js';

/** A unified diff for people: what a terminal would obey is written as an escape. */
export function textDiff(path: string, before: string | undefined, after: string | undefined, paint: Paint): string {
  const patch = createTwoFilesPatch(before === undefined ? '/dev/null' : path, after === undefined ? '/dev/null' : path, before ?? '', after ?? '', undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
  });
  return patch
    .trimEnd()
    .split('\n')
    .map((line) => {
      const shown = plain(line.replace(/\r$/, '')).replaceAll(String.raw`\x09`, '\t');
      if (/^(---|\+\+\+) /.test(line)) return paint.bold(shown);
      if (line.startsWith('+')) return paint.green(shown);
      if (line.startsWith('-')) return paint.red(shown);
      return line.startsWith('@@') ? paint.cyan(shown) : shown;
    })
    .join('\n');
}
