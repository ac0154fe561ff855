// A look at a SQLite file and the disk it lies on.
import { accessSync, constants, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { pendingNames, type StorageInspection } from "../inspection.ts";
import type { SqliteLocation } from "../location.ts";
import { APPLIED_MIGRATIONS, appliedMigrationOf } from "../migrate.ts";
import { openSqlite } from "./connection.ts";

/** Types of file systems (`statfs`) on which SQLite's locks cannot be relied on: NFS, SMB, CIFS. */
const NETWORK_DISKS = new Set([0x6969, 0x517b, 0xfe534d42, 0xff534d42]);

/** The file must exist. Throws kind `unavailable` when it cannot be opened. */
export function inspectSqlite(location: SqliteLocation): StorageInspection {
  const connection = openSqlite(location, "reader");
  try {
    const rows = (sql: string) => connection.execute(sql).rows;
    const [facts] =
      rows(`select sqlite_version() as version, encoding, (page_count - freelist_count) * page_size as bytes
      from pragma_encoding(), pragma_page_count(), pragma_freelist_count(), pragma_page_size()`);
    const [known] = rows("select 1 from sqlite_master where type = 'table' and name = 'schema_migrations'");
    const applied = known === undefined ? null : rows(APPLIED_MIGRATIONS).map(appliedMigrationOf);
    const version = String(facts?.version);
    const { bavail, bsize, type } = statfsSync(dirname(location.path));
    const writable = mayWrite(location.path) && mayWrite(dirname(location.path));
    return {
      engine: `SQLite ${version}`,
      major: Number.parseInt(version, 10),
      pending: pendingNames("sqlite", applied),
      mayCreateTables: writable,
      usedBytes: Number(facts?.bytes),
      freeBytes: bavail * bsize,
      encoding: String(facts?.encoding).replace("-", ""),
      collation: "binary",
      readOnly: !writable,
      careless: location.synchronous === "FULL" ? [] : [`SERVICE_SQLITE_SYNCHRONOUS=${location.synchronous}`],
      clockAheadMs: null,
      onNetworkDisk: NETWORK_DISKS.has(type),
    };
  } finally {
    connection.close();
  }
}

/** The log of a SQLite file is made beside it: the folder counts too. */
function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
