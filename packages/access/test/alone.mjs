// Runs where the package is installed alone: see packaging/README.md.
export const expected = ['laptop-hooks', 401, 421];

export function run({ programs: [{ whoWatches }] }) {
  const authorization = 'Bearer c3VwZXItc2VjcmV0LTE';
  return [{ host: 'localhost:4000', authorization }, { host: 'localhost:4000' }, { host: 'evil.example', authorization }].map((headers) => {
    try {
      return whoWatches(new Headers(headers));
    } catch (error) {
      return error.status;
    }
  });
}
