// Deleting traces and moving them to another project, for every feature whose rows hang on them.
import { feature } from "../../feature.ts";
import { createDeletionService } from "./deletion.service.ts";
import { createTransferService } from "./transfer.service.ts";

export const deletionFeature = feature("deletion", ({ storage, ownedTables, rollups }) => {
  const transfer = createTransferService(storage);
  return { service: { transfer, deletion: createDeletionService({ storage, ownedTables, rollups, transfer }) } };
});
