import { EnvelopeError, issueAt } from './errors.js';

/** Parts of a {@link sourceUri}; any non-empty strings. */
export interface SourceParts {
  readonly host: string;
  readonly agent: string;
  /** Left out on agent-scoped Events. */
  readonly session?: string;
}

/**
 * The recommended `source`: `aep://{host}/agent/{agent}/session/{session}`, each part percent-encoded, so that any session
 * id gives a valid URI (AEP-0001 §5.1, §12). Injective.
 *
 * Throws {@link EnvelopeError} `invalid-attribute` for an empty part, `lone-surrogate` for half a character.
 *
 * @example
 * sourceUri({ host: 'laptop', agent: 'claude-code', session: 'a/b' })   // aep://laptop/agent/claude-code/session/a%2Fb
 */
export function sourceUri({ host, agent, session }: SourceParts): string {
  const root = `aep://${encode('host', host)}/agent/${encode('agent', agent)}`;
  return session === undefined ? root : `${root}/session/${encode('session', session)}`;
}

function encode(name: string, part: string): string {
  if (part === '') throw new EnvelopeError(issueAt('invalid-attribute', '$.source', 'AEP-0001 §5.1', `the ${name} is empty`));
  if (!part.isWellFormed()) {
    throw new EnvelopeError(issueAt('lone-surrogate', '$.source', 'AEP-0001 §5', `the ${name} holds half of a surrogate pair`));
  }
  return encodeURIComponent(part);
}
