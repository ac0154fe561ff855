// What may take long gives way to ingestion and short reads on cores that are all in use.
import { setPriority } from "node:os";

const NICENESS = 10;

/** Of this process, before it starts threads. */
export function lowerPriority(): void {
  try {
    setPriority(NICENESS);
  } catch {
    // A system that does not allow it shares its cores evenly.
  }
}

/** Of this worker thread alone, which only Linux can: there a thread has a priority of its own. */
export function lowerThreadPriority(): void {
  if (process.platform === "linux") lowerPriority();
}
