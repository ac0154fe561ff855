// Deleting traces and moving them to another project, for every feature whose rows hang on them.
import type { Job } from "../../../jobs/job.ts";
import type { Logger } from "../../../kernel/logger.ts";
import { feature } from "../../feature.ts";
import { createDeletionService, type DeletionService } from "./deletion.service.ts";
import { createTransferService } from "./transfer.service.ts";

export const deletionFeature = feature("deletion", ({ storage, ownedTables, rollups, log }) => {
  const transfer = createTransferService(storage);
  const deletion = createDeletionService({ storage, ownedTables, rollups, transfer });
  return {
    service: { transfer, deletion },
    jobs: storage.dialect.name === "postgres" ? [orphanedRowsJob(deletion, log.named("jobs"))] : [],
  };
});

/** Rows of traces that servers left that were killed between the first step of an ingestion and its transaction. Only on PostgreSQL: on
 *  SQLite that step is part of the transaction. Sessions without traces stay: they go when they are old. */
function orphanedRowsJob(deletion: DeletionService, log: Logger): Job {
  return {
    name: "orphaned-rows",
    changes: true,
    everyMilliseconds: null,
    async run({ context, count }) {
      const traces = await deletion.sweepEmptyTraces(context());
      count(traces);
      if (traces > 0) log.info("removed rows of traces that never received a span", { traces });
      return true;
    },
  };
}
