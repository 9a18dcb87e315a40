// Runs where the package is installed alone: see packaging/README.md.
export const expected = [200, 'nothing'];

export async function run({ logged }) {
  const { readOwnerToken } = await import('@aepkit/endpoint/owner-token');
  return [logged[0][0], (await readOwnerToken('./owner-token')) ?? 'nothing'];
}
