import { APPLICATION_CODE } from './application-code.js';
import { Cursor } from './cursor.js';
import { plainUint, type Uint } from './uint.js';

/** A report that was ordered: the two members for the DATA header, and where its records go. */
export interface ReportOrder {
  readonly reportId: number;
  readonly report: readonly Uint[];
  readonly cursor: Cursor;
}

/**
 * The reports that this side of a connection has ordered. Ids count from 1 and are never used again; an id of the peer's own
 * choosing finds nothing and makes nothing (weida §6.2, §6.7).
 */
export class Reports {
  readonly #open = new Map<Uint, Cursor>();
  #last = 0;

  /** Number of reports that are open. */
  get size(): number {
    return this.#open.size;
  }

  /** Orders a report of the levels, each once and in any order here. */
  order(levels: readonly Uint[]): ReportOrder {
    const report = [...new Set(levels.map(plainUint))].sort((a, b) => (a < b ? -1 : 1));
    const cursor = new Cursor(report);
    const reportId = ++this.#last;
    this.#open.set(reportId, cursor);
    return { reportId, report, cursor };
  }

  /** What a CURSOR head names, or the code with which to stop that stream alone; the connection lives on. */
  find(reportId: Uint): Cursor | typeof APPLICATION_CODE.canceled {
    return this.#open.get(plainUint(reportId)) ?? APPLICATION_CODE.canceled;
  }

  /** The report has ended, or is not wanted any more. */
  close(reportId: Uint): boolean {
    return this.#open.delete(plainUint(reportId));
  }
}
