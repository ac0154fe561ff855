// How the service is, for those who use it: whether it takes anything in, and what its database holds.
import { createJobFailuresStore } from "../../../jobs/job-failures.store.ts";
import { feature } from "../../feature.ts";
import { createContentsService } from "./contents.service.ts";
import { createTableSizesStore } from "./table-sizes.store.ts";

export const serverStatusFeature = feature(
  "server status",
  ({ storage, clock, ownContext, isStorageLocked, backupTrouble, settings }) => {
    const contents = createContentsService(createTableSizesStore(storage.dialect), ownContext, clock);
    return {
      service: null,
      graphql: async () => {
        const { addServerStatus } = await import("./server-status.graphql.ts");
        const { storageCapacityBytes: capacityBytes } = settings;
        const jobFailures = createJobFailuresStore(storage.dialect);
        return (types) =>
          addServerStatus(types, { storage, contents, capacityBytes, isStorageLocked, backupTrouble, jobFailures });
      },
    };
  },
);
