// Settles traces whose span sums must be recomputed: soon after ingestion reports one, and what a killed server left
// at the next start. Without such traces it does nothing at all.
import type { RollupsService } from "../summaries/rollups/rollups.service.ts";
import type { Job } from "./job.ts";

const TRACES_AT_ONCE = 20;

export function traceSumsJob(rollups: Pick<RollupsService, "settlePending">): Job {
  return {
    name: "trace-sums",
    changes: true,
    everyMilliseconds: null,
    retryMilliseconds: 5000,
    async run({ context, goOn, count }) {
      for (;;) {
        const settled = await rollups.settlePending(context(), TRACES_AT_ONCE);
        if (settled === 0) return true;
        count(settled);
        if (!goOn()) return false;
      }
    },
  };
}
