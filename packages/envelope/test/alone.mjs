// Runs where the package is installed alone: see packaging/README.md.
export const expected = [['session.started', { session: 's1', epoch: 0, seq: 0 }]];

export const run = ({ logged }) => logged;
