import { type CborReader } from './cbor-reader.js';
import { type CborWriter } from './cbor-writer.js';
import { isUint, plainUint, type Uint } from './uint.js';

/** Levels of `delivery`, weakest first (weida §6.5). */
export const DELIVERY: { readonly bestEffort: 0; readonly atMostOnce: 1; readonly atLeastOnce: 2 } = Object.freeze({ bestEffort: 0, atMostOnce: 1, atLeastOnce: 2 });
/** Levels of `ordering`, weakest first (weida §6.5). */
export const ORDERING: { readonly none: 0; readonly perProducerDetect: 1; readonly perProducerReassemble: 2; readonly perKey: 3; readonly total: 4 } = Object.freeze({ none: 0, perProducerDetect: 1, perProducerReassemble: 2, perKey: 3, total: 4 });
/** Levels of `deduplication`, weakest first (weida §6.5). */
export const DEDUPLICATION: { readonly none: 0; readonly bounded: 1; readonly durable: 2 } = Object.freeze({ none: 0, bounded: 1, durable: 2 });
/** Behaviours of `backpressure`, without an order (weida §6.5). */
export const BACKPRESSURE: { readonly block: 0; readonly reject: 1; readonly drop: 2; readonly spill: 3; readonly coalesce: 4 } = Object.freeze({ block: 0, reject: 1, drop: 2, spill: 3, coalesce: 4 });

/**
 * What a connection promises, one level per dimension (weida §6.5). A dimension left out stands at its core level; a
 * value at the core level is never written. Levels of `acknowledgement` are those of {@link LEVEL}.
 */
export interface GuaranteeSet {
  readonly delivery?: 0 | 1 | 2 | undefined;
  readonly acknowledgement?: 0 | 1 | 2 | 3 | 4 | 5 | undefined;
  /** 0 written, 1 flushed; only with `acknowledgement` 3 or 4. */
  readonly durability?: 0 | 1 | undefined;
  /** Copies, the leader's included: at least 2; only with `acknowledgement` 4. */
  readonly replicas?: Uint | undefined;
  readonly ordering?: 0 | 1 | 2 | 3 | 4 | undefined;
  readonly deduplication?: 0 | 1 | 2 | undefined;
  /** Milliseconds; with `deduplication` 1, always and only. */
  readonly dedupWindowMs?: Uint | undefined;
  readonly backpressure?: 0 | 1 | 2 | 3 | 4 | undefined;
  /** 0 by fingerprint, 1 by a stable name. */
  readonly producerNaming?: 0 | 1 | undefined;
  /** 1: control traffic cannot stall behind bulk. */
  readonly controlIsolated?: 0 | 1 | undefined;
}

/** A dimension of a {@link GuaranteeSet}. */
export type GuaranteeDimension = keyof GuaranteeSet;

interface Dimension {
  readonly name: GuaranteeDimension;
  /** Highest value that is defined; none for a count and for a duration. */
  readonly most: number;
  /** Level of an absent key; `undefined` where absence is a level of its own. */
  readonly core: number | undefined;
  readonly clause: string;
}

/** Dimensions by key. */
export const DIMENSIONS: readonly Dimension[] = [
  { name: 'delivery', most: 2, core: 0, clause: 'W-288' },
  { name: 'acknowledgement', most: 5, core: 1, clause: 'W-289' },
  { name: 'durability', most: 1, core: undefined, clause: 'W-290' },
  { name: 'replicas', most: Infinity, core: undefined, clause: 'W-302' },
  { name: 'ordering', most: 4, core: 0, clause: 'W-291' },
  { name: 'deduplication', most: 2, core: 0, clause: 'W-292' },
  { name: 'dedupWindowMs', most: Infinity, core: undefined, clause: 'W-304' },
  { name: 'backpressure', most: 4, core: 0, clause: 'W-293' },
  { name: 'producerNaming', most: 1, core: 0, clause: 'W-294' },
  { name: 'controlIsolated', most: 1, core: 0, clause: 'W-295' },
];

/** What is wrong with a set. */
export interface GuaranteeIssue {
  readonly dimension: GuaranteeDimension;
  readonly clause: string;
  readonly combination: boolean;
  readonly detail: string;
}

/** The first fault of a set: a value that is not defined, or a combination that is forbidden (weida §6.5). */
export function guaranteeIssue(set: GuaranteeSet): GuaranteeIssue | undefined {
  for (const { name, most, clause } of DIMENSIONS) {
    const value: unknown = set[name];
    if (value === undefined) continue;
    if (!isUint(value) || value > most) return { dimension: name, clause, combination: false, detail: 'a value that is not defined' };
  }
  const combination = (dimension: GuaranteeDimension, clause: string, detail: string): GuaranteeIssue => ({ dimension, clause, combination: true, detail });
  const { acknowledgement, durability, replicas, deduplication, dedupWindowMs, backpressure, ordering } = beyondCore(set);
  if (durability !== undefined && acknowledgement !== 3 && acknowledgement !== 4) {
    return combination('durability', 'W-300', 'without acknowledgement 3 or 4');
  }
  if (replicas !== undefined && acknowledgement !== 4) return combination('replicas', 'W-301', 'without acknowledgement 4');
  if (replicas !== undefined && replicas < 2) return combination('replicas', 'W-302', 'below 2');
  if (deduplication === 1 && dedupWindowMs === undefined) return combination('dedupWindowMs', 'W-303', 'missing with deduplication 1');
  if (dedupWindowMs !== undefined && deduplication !== 1) return combination('dedupWindowMs', 'W-304', 'without deduplication 1');
  if (backpressure === BACKPRESSURE.coalesce && ordering === ORDERING.perProducerReassemble) {
    return combination('backpressure', 'W-305', '4 with ordering 2');
  }
  return undefined;
}

/** The dimensions of a set that do not stand at their core level: what an encoder writes (weida §6.5). A `bigint` that fits a `number` becomes one. */
export function beyondCore(set: GuaranteeSet): GuaranteeSet {
  const kept: Record<string, Uint> = {};
  for (const { name, core } of DIMENSIONS) {
    const value = set[name];
    if (value === undefined) continue;
    const plain = plainUint(value);
    if (plain !== core) kept[name] = plain;
  }
  return kept;
}

/** Reads a set; what it says is checked, unknown keys are skipped. */
export function readGuarantees(reader: CborReader): GuaranteeSet {
  const start = reader.at;
  const set: Record<string, Uint> = {};
  const places: number[] = [];
  let key: Uint = -1;
  for (let left = reader.map(false); left > 0; left--) {
    key = reader.key(key);
    const dimension = DIMENSIONS[Number(key)];
    if (dimension === undefined) {
      reader.skip();
      continue;
    }
    const at = reader.at;
    places[Number(key)] = at;
    const value = reader.uint();
    if (value > dimension.most) reader.failAt(at, 'undefined-value', dimension.clause, `${dimension.name} ${value}`);
    set[dimension.name] = value;
  }
  const issue = guaranteeIssue(set);
  if (issue !== undefined) {
    const at = places[DIMENSIONS.findIndex(({ name }) => name === issue.dimension)] ?? start;
    reader.failAt(at, 'guarantee-combination', issue.clause, `${issue.dimension} ${issue.detail}`);
  }
  return set;
}

/** Writes a set that was checked, without what stands at core. */
export function writeGuarantees(writer: CborWriter, set: GuaranteeSet): void {
  const start = writer.map();
  for (const [key, { name, core }] of DIMENSIONS.entries()) {
    const value = set[name];
    if (value === undefined || value === core) continue;
    writer.key(key);
    writer.uint(value);
  }
  writer.endMap(start);
}
