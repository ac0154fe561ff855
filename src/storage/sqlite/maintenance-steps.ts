// The steps that keep the SQLite file small and its plans good, and when each of them is due.
import type { SqliteConnection } from "./connection.ts";
import { listStatisticsDue } from "./statistics.ts";

export interface MaintenanceLimits {
  /** The log is written back beyond this many bytes when the writer is idle, and beyond twice as many under load. */
  readonly checkpointBytes: number;
  /** Free pages are given back to the file system from this many on; fewer are soon filled again. */
  readonly vacuumFromPages: number;
}

/** Pages freed in one step: 500 took 31 ms at worst. */
const PAGES_A_STEP = 100;
/** On a full disk the log is written back, and space freed, from this many pages on: deleting must work in little space. */
const PAGES_ON_FULL_DISK = 64;
/** A step waits this long for readers of the log, or for another process that writes: neither may hold the writer. */
const BUSY_TIMEOUT_MILLISECONDS = 100;
/** Statistics are looked at from a file of this many pages on, and again each time it has doubled. */
const ANALYZE_FROM_PAGES = 1024;

interface MaintenanceSteps {
  /** True when something is to be done that does not wait until the writer is idle. */
  isDueUnderLoad(): boolean;
  /** Takes the next step, if one is due; false when none is. */
  takeNext(idle: boolean): boolean;
}

/** Everything here runs while the writer is held. */
export function createMaintenanceSteps(
  connection: SqliteConnection,
  limits: MaintenanceLimits,
  isDiskFull: () => boolean,
): MaintenanceSteps {
  const pageBytes = numberOf("select page_size as value from pragma_page_size()");
  const checkpointPages = limits.checkpointBytes / pageBytes;
  let vacuuming = false;
  /** The file itself shrinks only when the log that says so is written back. */
  let shrinking = false;
  /** Pages in the log after the last checkpoint that readers kept from emptying it. */
  let keptInLog = 0;
  let analyzedPages = 0;
  /** What renews the statistics, a script a step. */
  let statisticsDue: string[] = [];

  function numberOf(query: string): number {
    return Number(connection.execute(query).rows[0]?.value);
  }

  function logPages(): number {
    return Number(connection.execute("pragma wal_checkpoint(noop)").rows[0]?.log);
  }

  function isCheckpointDue(idle: boolean): boolean {
    const pages = logPages();
    // A write has restarted the log since.
    if (pages < keptInLog) keptInLog = 0;
    if (idle && shrinking && !vacuuming) return true;
    if (isDiskFull()) return pages - keptInLog >= PAGES_ON_FULL_DISK;
    return pages - keptInLog >= (idle ? checkpointPages : 2 * checkpointPages);
  }

  function isVacuumDue(): boolean {
    const free = numberOf("select freelist_count as value from pragma_freelist_count()");
    vacuuming = free > 0 && (vacuuming || free >= (isDiskFull() ? PAGES_ON_FULL_DISK : limits.vacuumFromPages));
    return vacuuming;
  }

  function isAnalysisDue(): boolean {
    if (statisticsDue.length > 0) return true;
    const pages = numberOf("select page_count as value from pragma_page_count()");
    return pages >= ANALYZE_FROM_PAGES && pages >= 2 * analyzedPages;
  }

  function checkpoint(): void {
    shrinking &&= vacuuming;
    // `restart` waits for the readers of the log, so that the next write begins at its start again.
    const { busy, log } = connection.execute("pragma wal_checkpoint(restart)").rows[0] as Record<string, number>;
    keptInLog = busy === 0 ? Math.max(0, log ?? 0) : logPages();
  }

  function vacuum(): void {
    shrinking = true;
    connection.execute(`pragma incremental_vacuum(${PAGES_A_STEP})`);
  }

  function analyze(): void {
    const [script] = statisticsDue;
    if (script === undefined) {
      statisticsDue = listStatisticsDue(connection);
      analyzedPages = numberOf("select page_count as value from pragma_page_count()");
      return;
    }
    connection.script(script);
    statisticsDue.shift();
  }

  /** What is to be done next, if anything. */
  function nextStep(idle: boolean): (() => void) | null {
    const vacuumDue = isVacuumDue();
    if (isCheckpointDue(idle)) return checkpoint;
    if (vacuumDue) return vacuum;
    return idle && isAnalysisDue() ? analyze : null;
  }

  function takeStep(step: () => void): void {
    const busyTimeout = numberOf("select timeout as value from pragma_busy_timeout()");
    connection.execute(`pragma busy_timeout = ${BUSY_TIMEOUT_MILLISECONDS}`);
    try {
      step();
    } finally {
      connection.execute(`pragma busy_timeout = ${busyTimeout}`);
    }
  }

  return {
    isDueUnderLoad: () => isCheckpointDue(false) || isVacuumDue(),
    takeNext(idle) {
      const step = nextStep(idle);
      if (step !== null) takeStep(step);
      return step !== null;
    },
  };
}
