// Runs where the package is installed alone: see packaging/README.md.
export const expected = [80, 8787, 'invalid-value'];

export function run({ programs: [{ settle }] }) {
  let code;
  try {
    settle({ APP_PORT: 'eighty' });
  } catch (error) {
    code = error.code;
  }
  return [settle({ APP_PORT: '80' }).values.port, settle({}).values.port, code];
}
