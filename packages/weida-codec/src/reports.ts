import { APPLICATION_CODE } from './application-code.js';
import { Cursor } from './cursor.js';
import { MAX_REPORT } from './data-frame.js';
import { WeidaEncodeError } from './errors.js';
import { invalidField } from './header-fields.js';
import { isLevel } from './level.js';
import { isUint, plainUint, type Uint } from './uint.js';

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

  /**
   * Orders a report of the levels, each once and in any order here.
   *
   * @throws {@link WeidaEncodeError} where no DATA header could carry the order, before an id is spent.
   */
  order(levels: readonly Uint[]): ReportOrder {
    const report = [...new Set(levels.map(plainUint))].sort((a, b) => (a < b ? -1 : 1));
    if (report.length === 0) throw invalidField('report', 'OPEN-4', 'no level');
    if (report.length > MAX_REPORT) throw new WeidaEncodeError('too-long', 'report', 'W-236', `more than ${MAX_REPORT} levels`);
    for (const level of report) if (!isUint(level) || !isLevel(level)) throw invalidField('report', 'W-237', `${String(level)} is no level`);
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
