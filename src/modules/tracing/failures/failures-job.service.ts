// Examines failed spans soon after they were stored, so that readers have little left to do, and behind them those that were stored before
// failures were grouped.
import type { Job } from "../../../jobs/job.ts";
import type { SettlementService } from "./settlement/settlement.service.ts";

/** Milliseconds from stored spans to the look, and between two looks otherwise, for what other servers stored. */
const LOOKS = { soon: 50, between: 60_000 };
/** While spans arrive, a slice of older ones is followed by a rest so many times as long. */
const REST = 2;

export function failuresJob(settlement: SettlementService): Job {
  return {
    name: "failures",
    changes: true,
    everyMilliseconds: LOOKS.between,
    wokenBySpans: true,
    woken: { afterMilliseconds: LOOKS.soon },
    // Counting a large group again takes long.
    restFactor: 3,
    async run({ context, goOn, pause, count }) {
      for (;;) {
        const examined = await settlement.settleSlice(context());
        if (examined === 0) break;
        count(examined);
        if (!goOn()) return false;
      }
      await settlement.recount(context());
      for (;;) {
        const began = performance.now();
        if (!(await settlement.examineOlder(context()))) return true;
        if (!goOn()) return false;
        await pause(REST * (performance.now() - began));
      }
    },
  };
}
