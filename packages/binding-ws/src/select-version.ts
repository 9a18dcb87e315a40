import { SUPPORTED_VERSIONS } from '@aepkit/envelope';

/** The first of the initiator's versions that is spoken here, or `undefined` where there is none (AEP-0003 §4). */
export function selectVersion(offered: readonly string[], supported: readonly string[] = SUPPORTED_VERSIONS): string | undefined {
  return offered.find((version) => supported.includes(version));
}
