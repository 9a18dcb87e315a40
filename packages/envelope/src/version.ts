/** The envelope version this package writes and reads: `0.1`. */
export const AEP_VERSION = '0.1' as const;

/** Every version this package reads. While the major is 0 each minor is its own (AEP-0001 §11). */
export const SUPPORTED_VERSIONS: readonly string[] = Object.freeze([AEP_VERSION]);

/** Whether a version, as it stands in `aep`, in `AEP-Version` or in `hello.versions`, is one this package reads. */
export function isSupportedVersion(text: unknown): text is typeof AEP_VERSION {
  return text === AEP_VERSION;
}
