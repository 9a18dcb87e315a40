/** Why Events are not where they should be, in a form that can be printed. */
export interface TransportTrouble {
  /**
   * A short name: that of the transport where it has one (over HTTP `unauthorized`, `forbidden`, `refused` for a wrong path, `network`),
   * `timeout` where nothing was said in time, else `failed`.
   */
  readonly code: string;
  /** What the transport said, on one line of at most 300 characters. May hold text of the other side. */
  readonly detail: string;
}

/** What to say where nothing failed and the time was too short. */
export const OUT_OF_TIME: TransportTrouble = { code: 'timeout', detail: 'not everything was delivered in time' };

const MAX_DETAIL_LENGTH = 300;
/** Causes looked into: they may go in a circle. */
const MAX_CAUSES = 5;

/** Reads an error that a transport rejected with: it may be anything, and is never thrown over. */
export function troubleOf(error: unknown): TransportTrouble {
  try {
    const codes = codesOf(error);
    const [code = 'failed'] = codes;
    // Over HTTP the name says that nobody answered, and the last cause why: ECONNREFUSED.
    const why = codes.length > 1 && codes.at(-1) !== code ? ` (${codes.at(-1) ?? ''})` : '';
    const says = error instanceof Error ? error.message : typeof error === 'string' ? error : '';
    return { code: oneLine(code, 100), detail: oneLine(`${says === '' ? 'the transport failed' : says}${why}`, MAX_DETAIL_LENGTH) };
  } catch {
    return { code: 'failed', detail: 'the transport failed' };
  }
}

function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  let at = error;
  for (let depth = 0; depth < MAX_CAUSES && at instanceof Error; depth += 1) {
    const { code } = at as { code?: unknown };
    if (typeof code === 'string' && code !== '') codes.push(code);
    at = at.cause;
  }
  return codes;
}

// A terminal obeys control characters.
function oneLine(text: string, length: number): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').slice(0, length).toWellFormed();
}
