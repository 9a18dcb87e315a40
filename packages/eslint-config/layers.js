/**
 * The packages from the bottom up: a package may import those above its own line in this list, never below, and never
 * one of its own line. `pure` packages reach no Node built-in.
 */
export const LAYERS = [
  { pure: true, packages: ['envelope'] },
  { pure: true, packages: ['taxonomy', 'attr-match', 'redaction', 'replay-buffer', 'resume', 'weida-codec', 'subscription-model'] },
  { packages: ['access', 'config', 'spool'] },
  { packages: ['hub'] },
  { packages: ['control'] },
  { packages: ['history'] },
  { packages: ['binding-jsonl', 'binding-http', 'binding-sse', 'binding-ws'] },
  { packages: ['emitter'] },
  { pure: true, packages: ['adapter-kit'] },
  { pure: true, packages: ['adapter-claude-code', 'adapter-codex', 'adapter-gemini-cli'] },
  { packages: ['endpoint'] },
];

/** What a binding may use of ours: what a third-party binding has (CONTRIBUTING, "A new binding"). */
export const BINDING_IMPORTS = ['envelope', 'access', 'hub', 'resume'];

/** Apps by what they may import of each other. */
export const APPS = { collector: [], relay: [], cli: ['collector', 'relay'] };
