import { APPLICATION_CODE } from './application-code.js';
import { beyondCore, type GuaranteeDimension, type GuaranteeSet } from './guarantee-set.js';
import { type HelloFrame } from './hello-frame.js';
import { shortfall } from './shortfall.js';
import { plainUint, type Uint } from './uint.js';

/** What both sides of a connection hold to. */
export interface Agreed {
  readonly version: Uint;
  /** Longest header this side may send. What it takes is bounded by its own limit alone. */
  readonly sendMaxHeaderBytes: Uint;
  /** Every dimension that has a core level is present; an axis is, where it is agreed on. */
  readonly guarantees: GuaranteeSet;
}

/** Outcome of {@link negotiate}. A failure closes the connection with `applicationCode`. */
export type Negotiation =
  | ({ readonly ok: true } & Agreed)
  | {
      readonly ok: false;
      readonly applicationCode: typeof APPLICATION_CODE.negotiationFailed;
      readonly reason: 'no-common-version' | 'required-capability' | 'incomparable' | 'requirement-not-reached';
      /** Of `incomparable` and `requirement-not-reached`. */
      readonly dimension?: GuaranteeDimension;
      /** Of `required-capability`: the first code. */
      readonly capability?: Uint;
    };

/**
 * Negotiates a connection from the two HELLOs and nothing else (weida §2.3). Each side runs it; the connection lives when both
 * agree. A requirement of `theirs` is met in full or the negotiation fails; ours is for the peer to judge.
 */
export function negotiate(ours: HelloFrame, theirs: HelloFrame): Negotiation {
  const version = highestCommon(ours.versions, theirs.versions);
  if (version === undefined) return failure('no-common-version');
  // No capability is assigned, so none can be supported.
  const [capability] = theirs.requiredCapabilities;
  if (capability !== undefined) return { ...failure('required-capability'), capability };
  const combined = combine(beyondCore(ours.guaranteesOffered ?? {}), beyondCore(theirs.guaranteesOffered ?? {}));
  if (typeof combined === 'string') return { ...failure('incomparable'), dimension: combined };
  const unmet = shortfall(combined.both, beyondCore(theirs.guaranteesRequired ?? {}));
  if (unmet !== undefined) return { ...failure('requirement-not-reached'), dimension: unmet };
  return { ok: true, version, sendMaxHeaderBytes: theirs.maxHeaderBytes, guarantees: combined.effective };
}

function failure(reason: Extract<Negotiation, { ok: false }>['reason']): Extract<Negotiation, { ok: false }> {
  return { ok: false, applicationCode: APPLICATION_CODE.negotiationFailed, reason };
}

function highestCommon(ours: readonly Uint[], theirs: readonly Uint[]): Uint | undefined {
  const known = new Set(ours.map(plainUint));
  let highest: Uint | undefined;
  for (const version of theirs.map(plainUint)) {
    if (known.has(version) && (highest === undefined || version > highest)) highest = version;
  }
  return highest;
}

/**
 * The weaker of two offers in every dimension, or the dimension that cannot be compared. An axis that one side alone declares
 * is carried over in `effective`, but is nothing that `both` agreed on (OPEN-10).
 */
function combine(ours: GuaranteeSet, theirs: GuaranteeSet): { effective: GuaranteeSet; both: GuaranteeSet } | GuaranteeDimension {
  const acknowledgement = weaker(ours.acknowledgement ?? 1, theirs.acknowledgement ?? 1);
  const deduplication = weaker(ours.deduplication ?? 0, theirs.deduplication ?? 0);
  const ladders: GuaranteeSet = {
    delivery: weaker(ours.delivery ?? 0, theirs.delivery ?? 0),
    acknowledgement,
    ordering: weaker(ours.ordering ?? 0, theirs.ordering ?? 0),
    deduplication,
    backpressure: ours.backpressure ?? 0,
    producerNaming: ours.producerNaming ?? 0,
    controlIsolated: weaker(ours.controlIsolated ?? 0, theirs.controlIsolated ?? 0),
  };
  // A level that fell below what an axis qualifies drops the axis; only then are the rest compared.
  const durability = acknowledgement === 3 || acknowledgement === 4 ? axis(ours.durability, theirs.durability) : NO_AXIS;
  if (durability === undefined) return 'durability';
  const replicas = acknowledgement === 4 ? axis(ours.replicas, theirs.replicas) : NO_AXIS;
  if (replicas === undefined) return 'replicas';
  if (ladders.backpressure !== (theirs.backpressure ?? 0)) return 'backpressure';
  if (ladders.producerNaming !== (theirs.producerNaming ?? 0)) return 'producerNaming';
  const window = deduplication === 1 ? shorter(ours.dedupWindowMs, theirs.dedupWindowMs) : undefined;
  const declared = {
    ...ladders,
    ...(durability.value !== undefined && { durability: durability.value }),
    ...(replicas.value !== undefined && { replicas: replicas.value }),
    ...(window !== undefined && { dedupWindowMs: window }),
  };
  return {
    effective: declared,
    both: { ...declared, durability: durability.both ? durability.value : undefined, replicas: replicas.both ? replicas.value : undefined },
  };
}

interface Axis<V extends Uint> {
  readonly value: V | undefined;
  readonly both: boolean;
}

const NO_AXIS: Axis<never> = { value: undefined, both: false };

/** Two declarations of an axis without an order; `undefined` where they differ. */
function axis<V extends Uint>(ours: V | undefined, theirs: V | undefined): Axis<V> | undefined {
  if (ours === undefined || theirs === undefined) return { value: ours ?? theirs, both: false };
  return plainUint(ours) === plainUint(theirs) ? { value: ours, both: true } : undefined;
}

function weaker<V extends number>(ours: V, theirs: V): V {
  return ours < theirs ? ours : theirs;
}

/** The shorter of two windows; Durable brings none. */
function shorter(ours: Uint | undefined, theirs: Uint | undefined): Uint | undefined {
  if (ours === undefined || theirs === undefined) return ours ?? theirs;
  return ours < theirs ? ours : theirs;
}
