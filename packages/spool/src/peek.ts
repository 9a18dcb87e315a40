export function spoolMayHaveLines(path: string): boolean {
  return path === '';
}
