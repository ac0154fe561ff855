// A look at a database that creates and changes nothing: for the doctor.
import type { ReplicaInspection, StorageInspection } from "./inspection.ts";
import type { PostgresLocation, StorageLocation } from "./location.ts";
import { inspectPostgres, inspectPostgresReplica } from "./postgres/inspect.ts";
import { inspectSqlite } from "./sqlite/inspect.ts";

/** Throws kind `unavailable` when the database cannot be opened, or does not fit this server (`migrate.ts`). */
export async function inspectStorage(location: StorageLocation): Promise<StorageInspection> {
  return location.kind === "sqlite" ? inspectSqlite(location) : inspectPostgres(location);
}

/** Of a location that names a replica. Throws kind `unavailable` when it cannot be reached. */
export function inspectReplica(location: PostgresLocation): Promise<ReplicaInspection> {
  return inspectPostgresReplica(location);
}
