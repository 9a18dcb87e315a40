import { type CborReader } from './cbor-reader.js';
import { type CborWriter } from './cbor-writer.js';
import { WeidaEncodeError } from './errors.js';
import { guaranteeIssue, beyondCore, readGuarantees, writeGuarantees, type GuaranteeSet } from './guarantee-set.js';
import { missingKey, writeUint, writeUints } from './header-fields.js';
import { shortfall } from './shortfall.js';
import { type Uint } from './uint.js';

/** HELLO, kind 0: what a side speaks, accepts, offers and demands (weida §6.1). */
export interface HelloFrame {
  readonly kind: 'HELLO';
  /** Wire versions, at most 64; the order plays no part. */
  readonly versions: readonly Uint[];
  /** Longest header, in octets, that the sender takes. */
  readonly maxHeaderBytes: Uint;
  /** Inbound transfers at a time; advice, never enforced. */
  readonly maxTransfers: Uint;
  /** Capability codes on offer, at most 64; none is assigned. */
  readonly capabilities: readonly Uint[];
  /** Capability codes the peer must support, at most 64. */
  readonly requiredCapabilities: readonly Uint[];
  /** Absent and empty both say core. */
  readonly guaranteesOffered?: GuaranteeSet | undefined;
  /** Never more than `guaranteesOffered`, in any dimension. */
  readonly guaranteesRequired?: GuaranteeSet | undefined;
}

/** Reads the header of a HELLO. */
export function readHello(reader: CborReader): HelloFrame {
  const start = reader.at;
  let versions: readonly Uint[] = [];
  let maxHeaderBytes: Uint = 0;
  let maxTransfers: Uint = 0;
  let capabilities: readonly Uint[] = [];
  let requiredCapabilities: readonly Uint[] = [];
  let offered: GuaranteeSet | undefined;
  let required: GuaranteeSet | undefined;
  let requiredAt = 0;
  let seen = 0;
  let key: Uint = -1;
  for (let left = reader.map(true); left > 0; left--) {
    key = reader.key(key);
    if (key < 5) seen |= 1 << Number(key);
    if (key === 0) versions = reader.uints();
    else if (key === 1) maxHeaderBytes = reader.uint();
    else if (key === 2) maxTransfers = reader.uint();
    else if (key === 3) capabilities = reader.uints();
    else if (key === 4) requiredCapabilities = reader.uints();
    else if (key === 5) offered = readGuarantees(reader);
    else if (key === 6) {
      requiredAt = reader.at;
      required = readGuarantees(reader);
    } else reader.skip();
  }
  reader.finish();
  const missing = missingKey(seen, 5);
  if (missing >= 0) return reader.failAt(start, 'missing-key', 'W-122', `HELLO without key ${missing}`);
  const excess = shortfall(offered ?? {}, required ?? {});
  if (excess !== undefined) {
    return reader.failAt(requiredAt || start, 'requires-more-than-offered', 'W-190', `requires more ${excess} than it offers`);
  }
  return {
    kind: 'HELLO',
    versions,
    maxHeaderBytes,
    maxTransfers,
    capabilities,
    requiredCapabilities,
    ...(offered && { guaranteesOffered: offered }),
    ...(required && { guaranteesRequired: required }),
  };
}

/** Writes the header of a HELLO. */
export function writeHello(writer: CborWriter, frame: HelloFrame): void {
  const offered = beyondCoreOf('guaranteesOffered', frame.guaranteesOffered);
  const required = beyondCoreOf('guaranteesRequired', frame.guaranteesRequired);
  const excess = shortfall(offered ?? {}, required ?? {});
  if (excess !== undefined) throw new WeidaEncodeError('forbidden-combination', `guaranteesRequired.${excess}`, 'W-190', 'required but not offered');
  const start = writer.map();
  writeUints(writer, 0, 'versions', frame.versions);
  writeUint(writer, 1, 'maxHeaderBytes', frame.maxHeaderBytes);
  writeUint(writer, 2, 'maxTransfers', frame.maxTransfers);
  writeUints(writer, 3, 'capabilities', frame.capabilities);
  writeUints(writer, 4, 'requiredCapabilities', frame.requiredCapabilities);
  for (const [key, set] of [[5, offered], [6, required]] as const) {
    if (set === undefined) continue;
    writer.key(key);
    writeGuarantees(writer, set);
  }
  writer.endMap(start);
}

/** What is left to write of a set, after its check: nothing where it is core, so that silence and core are the same octets. */
function beyondCoreOf(field: string, set: GuaranteeSet | undefined): GuaranteeSet | undefined {
  if (set === undefined) return undefined;
  const issue = guaranteeIssue(set);
  if (issue !== undefined) {
    throw new WeidaEncodeError(issue.combination ? 'forbidden-combination' : 'invalid-field', `${field}.${issue.dimension}`, issue.clause, issue.detail);
  }
  const written = beyondCore(set);
  return Object.keys(written).length === 0 ? undefined : written;
}
