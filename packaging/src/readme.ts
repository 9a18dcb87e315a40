/** The TypeScript programs of a README: its `ts` blocks that import something. Others are fragments. */
export function programsOf(readme: string): string[] {
  return [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, program = '']) => program).filter((program) => /^import /m.test(program));
}

/** The packages that a README tells its reader to install. */
export function installedBy(readme: string): string[] {
  const lines = [...readme.matchAll(/npm install ([^`\n#]+)/g)].map(([, names = '']) => names);
  return [...new Set(lines.flatMap((names) => names.trim().split(/\s+/)).filter((name) => /^@?[a-z]/.test(name)))];
}
