// Runs where the package is installed alone: see packaging/README.md.
export const expected = [['/md', true], ['1.0842']];

export const run = ({ logged }) => logged;
