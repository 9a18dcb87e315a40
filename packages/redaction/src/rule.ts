/** The step of the pipeline (AEP-0003 §9.4) that a rule belongs to. */
export type RuleStep = 'secret' | 'name' | 'home' | 'pii';

/** One row of the table of rules. */
export interface Rule {
  /** Stable name, as findings report it. */
  readonly id: string;
  readonly step: RuleStep;
  /** What it takes out, in a sentence. */
  readonly what: string;
  /** Where the format is written down. */
  readonly source: string;
  /** Texts that lose something, and what is left of them. */
  readonly finds: readonly (readonly [text: string, redacted: string])[];
  /** Texts that stay as they are. */
  readonly leaves: readonly string[];
}
