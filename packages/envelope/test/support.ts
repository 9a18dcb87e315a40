import { expect } from 'vitest';

import { EnvelopeError, type AepEvent, type EnvelopeIssue } from '../src/index.js';

/** Any object, to be bent. */
export type Loose = Record<string, unknown>;

const common = { aep: '0.1', id: 'e1', time: '2026-01-02T03:04:05.678Z', source: 'aep://host/agent/a/session/s', agent: 'a' } as const;

/** The smallest Event of each class of AEP-0001 §5.2. */
export const minimal = {
  session: { ...common, type: 'tool.completed', session: 's', seq: 1 },
  agent: { ...common, type: 'agent.started' },
  command: { ...common, type: 'control.cancel', session: 's' },
  routed: { ...common, type: 'attention.routed', session: 's' },
  vendorCommand: { ...common, type: 'x.acme.control.reload', session: 's' },
  vendor: { ...common, type: 'x.acme.session.synced', session: 's', seq: 0 },
} as const satisfies Record<string, AepEvent>;

/** An Event with every attribute an ordinary one may have. */
export const full: AepEvent = {
  ...minimal.session,
  subject: 'Bash',
  run: 'r1',
  step: 'st1',
  epoch: 3,
  cause: 'e0',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  severity: 'notice',
  capture: 'full',
  acmenode: 'n7',
  acmecount: 12,
  acmeflag: true,
  data: { tool: { name: 'Bash' }, list: [1, 'two', null, { three: 3.5 }] },
};

/** Runs something that must throw an EnvelopeError and returns that. */
export function refusal(work: () => unknown): EnvelopeError {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(EnvelopeError);
    return error as EnvelopeError;
  }
  throw new Error('nothing was thrown');
}

/** Code and path of an issue, for tables. */
export function brief(issue: EnvelopeIssue | undefined): string {
  return issue === undefined ? 'valid' : `${issue.code} ${issue.path}`;
}

/** Without one member. */
export function without(event: object, name: string): Loose {
  return Object.fromEntries(Object.entries(event).filter(([key]) => key !== name));
}

/** Parameters of a property test: a fixed seed, and more runs on demand (`FUZZ_FACTOR=100 vitest run`). */
export function runs(count: number): { readonly seed: number; readonly numRuns: number } {
  return { seed: 20260501, numRuns: Math.ceil(count * Number(process.env.FUZZ_FACTOR ?? 1)) };
}
