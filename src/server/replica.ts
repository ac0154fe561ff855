// The look at a read replica before the service starts: one of another database would answer with foreign data, and is refused. Every
// other fault of a replica only sends reads to the primary.
import { fail, messageOf } from "../kernel/failure.ts";
import type { Logger } from "../kernel/logger.ts";
import { inspectReplica } from "../storage/inspect.ts";
import type { StorageLocation } from "../storage/location.ts";

/** A start waits no longer for an address that does not answer. */
const MAXIMUM_DELAY_MILLISECONDS = 2000;
const SETTING = "SERVICE_SQL_DATABASE_READ_REPLICA_URL";

/** Throws kind `unsupported` for the replica of another database. */
export async function requireOwnReplica(location: StorageLocation, log: Logger): Promise<void> {
  if (location.kind !== "postgres" || location.replicaUrl === null) return;
  const silent = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => silent.reject(fail("storage.silent_replica", "unavailable", "it does not answer")),
    MAXIMUM_DELAY_MILLISECONDS,
  );
  const found = await Promise.race([inspectReplica(location), silent.promise])
    .catch((error: unknown) => messageOf(error))
    .finally(() => clearTimeout(timer));
  if (typeof found === "string") {
    log.warning("the read replica cannot be asked: reads go to the primary until it can", { reason: found });
  } else if (!found.isOfThisDatabase) {
    throw fail(
      "storage.foreign_replica",
      "unsupported",
      `${SETTING}: that is another database than the one of SERVICE_SQL_DATABASE_URL: its reads would be of other data`,
    );
  } else if (!found.isReplica) {
    log.warning("the server for reads accepts writes and is not a replica: reads go to the primary", {
      setting: SETTING,
    });
  }
}
