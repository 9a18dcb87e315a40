// Runs where the package is installed alone: see packaging/README.md.
import { existsSync } from 'node:fs';

const line = (seq) => `{"aep":"0.1","id":"e${seq}","type":"tool.requested","time":"2026-01-01T00:00:00Z","source":"aep://h/agent/a","agent":"a","session":"s","seq":${seq}}`;

export const expected = [[line(1)], [line(0), line(1)], true];

// In the folder of the caller: the program keeps its history in `data`.
export const run = async ({ programs: [{ keep }] }) => [await keep(line(1), 's'), await keep(line(0), 's'), existsSync('data/history.db')];
