/** A fault in one line: its code, where it is, and what it is, with the place said once. */
export function issueText({ code, path, message }: { readonly code: string; readonly path: string; readonly message: string }): string {
  const front = `${path}: `;
  return `${code} at ${path}: ${message.startsWith(front) ? message.slice(front.length) : message}`;
}
