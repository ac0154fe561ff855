// What keeps the SQLite file small and its plans good, done by the owner of the write connection between transactions. It
// begins only after a write: at rest nothing is written.
import type { SqliteConnection } from "./connection.ts";
import { createMaintenanceSteps, type MaintenanceLimits } from "./maintenance-steps.ts";

export interface MaintenanceOptions extends MaintenanceLimits {
  /** Without a write for this long the writer counts as idle. */
  readonly idleMilliseconds: number;
}

export const MAINTENANCE: MaintenanceOptions = {
  checkpointBytes: 32 * 1024 * 1024,
  vacuumFromPages: 1280,
  idleMilliseconds: 200,
};

interface Maintenance {
  /** To be called after each write, outside any transaction; costs microseconds. */
  afterWrite(): void;
}

type Hold = (work: (connection: SqliteConnection) => void) => Promise<void>;

/** `hold` runs work while the writer is held; steps queue there like any other write. */
export function createMaintenance(
  connection: SqliteConnection,
  hold: Hold,
  options: MaintenanceOptions = MAINTENANCE,
  isDiskFull: () => boolean = () => false,
): Maintenance {
  const steps = createMaintenanceSteps(connection, options, isDiskFull);
  let lastWriteAt = 0;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let stepping = false;

  const isIdle = () => performance.now() - lastWriteAt >= options.idleMilliseconds;

  /** One step under load, all of them when idle. */
  async function run(): Promise<void> {
    if (stepping) return;
    stepping = true;
    try {
      let more = true;
      while (more) {
        await hold(() => {
          if (connection.isClosed) more = false;
          else more = steps.takeNext(isIdle()) && isIdle();
        });
      }
    } catch {
      // Another process writes, or the disk is full: the next write tries again, and tells its caller what it meets.
    } finally {
      stepping = false;
    }
  }

  function waitForIdle(): void {
    timer = setTimeout(
      () => {
        timer = null;
        if (isIdle()) void run();
        else waitForIdle();
      },
      Math.max(1, options.idleMilliseconds - (performance.now() - lastWriteAt)),
    );
    timer.unref?.();
  }

  return {
    afterWrite() {
      if (connection.isClosed) return;
      lastWriteAt = performance.now();
      if (!stepping && steps.isDueUnderLoad()) void run();
      if (timer === null) waitForIdle();
    },
  };
}
