/** What went wrong, for people. */
export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
