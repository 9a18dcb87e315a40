/** The id of the n-th subscription of a session (§6): given out in order and never again (S-O34). */
export function subscriptionId(number: number): string {
  return `sub_${String(number).padStart(4, '0')}`;
}

/** Whether an id is among the first so many, in its only spelling: no memory is needed of what has ended. */
export function wasIssued(id: string, issued: number): boolean {
  const number = Number(id.slice(id.indexOf('_') + 1));
  return number >= 1 && number <= issued && subscriptionId(number) === id;
}
