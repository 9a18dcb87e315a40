/** The JSON text of what an endpoint has sent: integers beyond 2^53, which are read as `bigint`, to the digit. */
export function exactJson(value: object): string {
  // Not in the library of the compiler yet; Node has it from 21 on.
  const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown };
  return JSON.stringify(value, (_name, member: unknown) => (typeof member === 'bigint' ? rawJSON(member.toString()) : member));
}
