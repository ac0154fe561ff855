// A transfer from one location to another: opened, checked, run, closed.
import { Failure, fail } from "../../kernel/failure.ts";
import type { StorageLocation } from "../location.ts";
import { type AppliedMigration, migrate, pendingMigrations, unfinishedTransfer } from "../migrate.ts";
import { migrations } from "../migrations.ts";
import { claimStorage, migrateStorage } from "../open.ts";
import { openSqlite } from "../sqlite/connection.ts";
import { sqliteMigrationTarget } from "../sqlite/migrate.ts";
import type { CopySource, CopyTarget } from "./copied-tables.ts";
import { openPostgresSource, openPostgresTarget } from "./postgres-side.ts";
import { openSqliteSource, openSqliteTarget } from "./sqlite-side.ts";
import { rowsOf, type TransferListener, type TransferOutcome, transfer } from "./transfer.ts";

/** A server that has a file is not waited for. */
const notWaiting = { seconds: 0, onWait: () => {} };

/** Copies everything from one database into another, which is new or the target of a transfer that was stopped; see `transfer`. No server may
 *  have a file that takes part; a PostgreSQL source is read as it was when the transfer began, and what is written to it meanwhile is not
 *  copied. Fails with one line for a database that is away, or at another migration than this program. */
export async function transferStorage(
  from: StorageLocation,
  to: StorageLocation,
  listener: TransferListener,
): Promise<TransferOutcome> {
  const source = await openSource(from);
  try {
    requireNewest(from.kind, "source", source.applied);
    const claims = [await claimStorage(from, notWaiting), await claimStorage(to, notWaiting)];
    try {
      await migrateTarget(to);
      const target = await (to.kind === "sqlite" ? openSqliteTarget(to) : openPostgresTarget(to));
      try {
        requireNewest(to.kind, "target", withoutMark(target));
        return await transfer(source, target, await seededRows(), listener);
      } finally {
        await target.close();
      }
    } finally {
      for (const claim of claims) claim.release();
    }
  } finally {
    await source.close();
  }
}

async function openSource(from: StorageLocation): Promise<CopySource> {
  return from.kind === "sqlite" ? openSqliteSource(from) : openPostgresSource(from);
}

function withoutMark(target: CopyTarget): readonly AppliedMigration[] {
  return target.applied.filter(({ number }) => number !== unfinishedTransfer.number);
}

/** Columns are taken for granted on both sides. */
function requireNewest(
  kind: StorageLocation["kind"],
  side: "source" | "target",
  applied: readonly AppliedMigration[],
): void {
  if (applied.length > 0 && pendingMigrations(migrations[kind], applied).length === 0) return;
  throw fail(
    "transfer.other_version",
    "conflict",
    applied.length === 0
      ? `The ${side} is no database of Spanlight`
      : `The ${side} was last used by an older Spanlight: run \`spanlight migrate\` on it first`,
  );
}

/** A target that is half full stays as it is. */
async function migrateTarget(to: StorageLocation): Promise<void> {
  try {
    await migrateStorage(to);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "storage.unfinished_transfer") throw error;
  }
}

/** What an empty database holds after its migrations, the same in both. */
async function seededRows(): Promise<ReadonlyMap<string, number>> {
  const location = { kind: "sqlite", path: ":memory:", temporary: true, synchronous: "OFF" } as const;
  const connection = openSqlite(location, "writer");
  try {
    await migrate(sqliteMigrationTarget(connection), migrations.sqlite);
    const names = connection.execute("select name from sqlite_schema where type = 'table'").rows;
    return new Map(
      names.map(({ name }) => {
        const [row] = connection.execute(`select cast(count(*) as text) as rows from "${name}"`).rows;
        return [String(name), rowsOf(String(row!.rows))];
      }),
    );
  } finally {
    connection.close();
  }
}
