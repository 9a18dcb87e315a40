/** Severity of an Event, from `debug` up to `critical` (AEP-0001 §8.1). */
export type Severity = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical';

/** The six severities in ascending order; the index is the rank. */
export const SEVERITIES: readonly Severity[] = Object.freeze(['debug', 'info', 'notice', 'warning', 'error', 'critical'] as const);

/** What an absent `severity` counts as: `info` (AEP-0001 §5.1). */
export const DEFAULT_SEVERITY: Severity = 'info';

/**
 * The severity of an Event, `info` where it has none (AEP-0001 §5.1). Reads own properties only and writes nothing.
 */
export function severityOf(event: { readonly severity?: Severity }): Severity {
  return (Object.hasOwn(event, 'severity') ? event.severity : undefined) ?? DEFAULT_SEVERITY;
}

/** Rank of a severity, 0 (`debug`) to 5 (`critical`); −1 for a word that is none. */
export function severityRank(severity: Severity): number {
  return SEVERITIES.indexOf(severity);
}

/** Orders severities: negative when `a` is lower than `b`, 0 when equal, positive when higher (AEP-0001 §8.1). */
export function compareSeverity(a: Severity, b: Severity): number {
  return severityRank(a) - severityRank(b);
}
