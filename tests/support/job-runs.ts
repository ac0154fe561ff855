// A run of a job without a runner: it has all the time it needs, and every item is attempted.
import type { JobContext } from "../../src/jobs/job.ts";
import type { CallContext } from "../../src/storage/storage.ts";

/** What fails is thrown. */
export function wholeRun(context: () => CallContext): JobContext {
  return {
    context,
    goOn: () => true,
    async attempt(_item, work) {
      await work();
      return true;
    },
  };
}
