// The doctor's look at the database: can it be reached, does it fit, is there disk space, and can its secrets be decrypted.
import { existsSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { openPrincipal } from "../../access/principal.ts";
import type { Config } from "../../config/config.ts";
import { systemClock } from "../../kernel/clock.ts";
import { messageOf } from "../../kernel/failure.ts";
import { silentLogger } from "../../kernel/logger.ts";
import { createSecrets } from "../../modules/accounts/secrets/secrets.feature.ts";
import { createCustomProviders } from "../../modules/evaluation/model-providers/model-providers.feature.ts";
import { inspectReplica, inspectStorage } from "../../storage/inspect.ts";
import type { StorageInspection } from "../../storage/inspection.ts";
import type { PostgresLocation } from "../../storage/location.ts";
import { openStorageAlone } from "../../storage/open.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

const ABOUT = "database";
const GIBIBYTE = 1024 ** 3;
const OLDEST_POSTGRES = 14;
/** Below it a busy day may fill the disk. */
const LITTLE_SPACE = GIBIBYTE;
/** Tokens and retention go by the clock. */
const CLOCK_TOLERANCE_MS = 5000;
/** Beyond it nearly every read finds the replica too old. */
const REPLICA_TOLERANCE_MS = 1000;
const SECRETS_MILLISECONDS = 30_000;

export async function checkDatabase(config: Config): Promise<Finding[]> {
  const { location, printed } = config.database;
  if (location.kind === "sqlite" && location.temporary) {
    return [warning(ABOUT, "it is in memory and lost at exit", "unset SERVICE_SQL_DATABASE_URL to keep the data")];
  }
  if (location.kind === "sqlite" && !existsSync(location.path))
    return [newFile(location.path, config.database.inWorkingDirectory)];
  let inspection: StorageInspection;
  try {
    inspection = await inspectStorage(location);
  } catch (error) {
    const setting =
      location.kind === "postgres" ? "SERVICE_SQL_DATABASE_URL or the SERVICE_POSTGRES_… settings" : "the file";
    return [problem(ABOUT, `${printed}: ${messageOf(error)}`, `check ${setting}`)];
  }
  const findings = [
    ok(ABOUT, `${inspection.engine} answers at ${printed}`),
    ...aboutEngine(inspection),
    ...aboutMigrations(inspection),
    ...aboutCarelessness(inspection),
    aboutSpace(inspection, config),
    ...aboutClock(inspection),
  ];
  if (location.kind === "postgres" && location.replicaUrl !== null) findings.push(await aboutReplica(location, config));
  if (inspection.pending?.length === 0) findings.push(...(await aboutSecrets(config)));
  return findings;
}

/** The working directory is made by the start, every other one must be there. */
function newFile(path: string, makesDirectory: boolean): Finding {
  let folder = dirname(path);
  while (makesDirectory && !existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
  try {
    const { bavail, bsize } = statfsSync(folder);
    return ok(ABOUT, `the first start will make ${path} (${gibibytes(bavail * bsize)} free)`);
  } catch (error) {
    return problem(ABOUT, `${path} cannot be made: ${messageOf(error)}`, `create the directory ${folder}`);
  }
}

function aboutEngine({ engine, major, encoding, collation, readOnly, onNetworkDisk }: StorageInspection): Finding[] {
  const findings: Finding[] = [];
  const isPostgres = engine.startsWith("PostgreSQL");
  if (isPostgres && major < OLDEST_POSTGRES) {
    findings.push(problem(ABOUT, `${engine} is too old`, `upgrade it to ${OLDEST_POSTGRES} or newer`));
  }
  if (encoding !== "UTF8") {
    findings.push(
      problem(
        "encoding",
        `texts are stored as ${encoding}: not every one fits`,
        "use a database with the encoding UTF8",
      ),
    );
  } else findings.push(ok("encoding", `UTF8, sorted by ${collation} where a query does not say it`));
  if (readOnly && isPostgres) {
    const text = "it takes no writes: it is a replica, or set to read-only";
    findings.push(problem(ABOUT, text, "name the primary in SERVICE_SQL_DATABASE_URL"));
  } else if (readOnly) {
    const text = "this user may not write to the file and its folder";
    findings.push(problem(ABOUT, text, "give both to the user that runs the service"));
  }
  if (onNetworkDisk) {
    findings.push(
      problem(ABOUT, "the file lies on a network file system, whose locks do not hold", "move it to a local disk"),
    );
  }
  return findings;
}

function aboutMigrations({ pending, mayCreateTables, readOnly }: StorageInspection): Finding[] {
  if (pending?.length === 0) return [ok("tables", "up to date")];
  // Already reported where nothing at all can be written.
  if (!mayCreateTables && !readOnly) {
    const text = "they are to be made or changed, and this role may not create tables in its schema";
    return [problem("tables", text, "grant create on the schema, or run `spanlight migrate` as a role that may")];
  }
  if (pending === null) return [ok("tables", "none yet: the first start makes them")];
  const text = `${pending.length} migrations are due (${pending.join(", ")})`;
  return [warning("tables", text, "the next start applies them")];
}

function aboutCarelessness({ careless }: StorageInspection): Finding[] {
  if (careless.length === 0) return [];
  const text = `with ${careless.join(", ")} spans that were acknowledged may be lost when the machine fails`;
  return [warning("durability", text, "set it back, unless the data are not worth it")];
}

async function aboutReplica(location: PostgresLocation, { database }: Config): Promise<Finding> {
  const about = "replica";
  try {
    const { isReplica, isOfThisDatabase, behindMs } = await inspectReplica(location);
    if (!isReplica) {
      return problem(
        about,
        `${database.printedReplica} is no replica but a database of its own`,
        "name a streaming replica in SERVICE_SQL_DATABASE_READ_REPLICA_URL, or unset it",
      );
    }
    if (!isOfThisDatabase) {
      return problem(
        about,
        `${database.printedReplica} is a replica of another database`,
        "name a replica of SERVICE_SQL_DATABASE_URL in SERVICE_SQL_DATABASE_READ_REPLICA_URL, or unset it",
      );
    }
    const seconds = (behindMs / 1000).toFixed(1);
    return behindMs > REPLICA_TOLERANCE_MS
      ? warning(about, `it is ${seconds} s behind: reads go to the primary`, "see what holds it up")
      : ok(about, `${database.printedReplica} is ${seconds} s behind`);
  } catch (error) {
    return warning(
      about,
      `${database.printedReplica}: ${messageOf(error)}; reads go to the primary`,
      "check SERVICE_SQL_DATABASE_READ_REPLICA_URL",
    );
  }
}

function aboutSpace({ usedBytes, freeBytes }: StorageInspection, { storageLimits }: Config): Finding {
  const { capacityGibibytes, blockingPercentage } = storageLimits;
  const used = `${gibibytes(usedBytes)} in use`;
  if (capacityGibibytes !== null && blockingPercentage) {
    const percent = (usedBytes / (capacityGibibytes * GIBIBYTE)) * 100;
    if (percent > blockingPercentage) {
      const text = `${used}, ${percent.toFixed(0)} % of the capacity: new data is refused above ${blockingPercentage} %`;
      return problem("disk", text, "delete old data or raise SERVICE_DATABASE_ALLOCATED_STORAGE_CAPACITY_GIBIBYTES");
    }
  }
  if (freeBytes === null) return ok("disk", `${used}; how much is free is known to the database's machine only`);
  if (freeBytes < LITTLE_SPACE) {
    return problem("disk", `${used}, only ${gibibytes(freeBytes)} free`, "delete old data or enlarge the disk");
  }
  // The copy before an upgrade needs as much as the data.
  if (freeBytes < usedBytes) {
    return warning(
      "disk",
      `${used}, ${gibibytes(freeBytes)} free: too little for the backup before an upgrade`,
      "enlarge the disk before you upgrade",
    );
  }
  return ok("disk", `${used}, ${gibibytes(freeBytes)} free`);
}

function aboutClock({ clockAheadMs }: StorageInspection): Finding[] {
  if (clockAheadMs === null) return [];
  const text = `the database's clock differs by ${(Math.abs(clockAheadMs) / 1000).toFixed(1)} s`;
  return Math.abs(clockAheadMs) > CLOCK_TOLERANCE_MS
    ? [problem("clock", text, "let both machines take the time from the same NTP server")]
    : [ok("clock", text)];
}

async function aboutSecrets({ database, authentication }: Config): Promise<Finding[]> {
  const storage = openStorageAlone(database.location);
  try {
    const base = { storage, clock: systemClock, serviceSecret: authentication.secret, log: silentLogger };
    const context = {
      principal: openPrincipal,
      requestId: "doctor",
      deadline: performance.now() + SECRETS_MILLISECONDS,
      signal: null,
      database: storage.handle,
    };
    const providers = await createCustomProviders(base).listUnreadable(context);
    const unreadable = [
      ...(await createSecrets(base).listUnreadable(context)),
      ...providers.map((name) => `the custom provider ${name}`),
    ];
    if (unreadable.length === 0) return [];
    return [
      problem(
        "secrets",
        `SERVICE_SECRET does not open ${unreadable.join(", ")}: they were stored with another one`,
        "set the SERVICE_SECRET of that time, or store them again",
      ),
    ];
  } finally {
    await storage.close();
  }
}

function gibibytes(bytes: number): string {
  return bytes < GIBIBYTE ? `${Math.ceil(bytes / 1024 ** 2)} MiB` : `${(bytes / GIBIBYTE).toFixed(1)} GiB`;
}
