// Brings a database to the newest schema: numbered, checksummed, each migration in a transaction of its own. Refuses a
// database that a newer server changed beyond what this one understands.
import { fail } from "../kernel/failure.ts";
import { type Migration, SERVER_LEVEL } from "./migrations.ts";

/** What the runner needs of a database; the drivers implement it. Each call is one transaction, and no other server migrates the same
 *  schema meanwhile. */
export interface MigrationTarget {
  /** Creates the table of applied migrations when it is missing and returns its rows, lowest number first. */
  applied(): Promise<AppliedMigration[]>;
  /** Runs the migration and records it, in one transaction. False when another server has applied it meanwhile; otherwise `onBegin` is
   *  called before the first change. */
  apply(migration: Migration, checksum: string, onBegin: () => void): Promise<boolean>;
}

export interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
  /** The oldest server level that may use the schema after this migration. */
  readonly oldestServer: number;
  /** The first version of Spanlight with that level; null for the first level. */
  readonly oldestVersion: string | null;
}

/** Stands among the applied migrations of a database that a transfer is filling, so that no server, of whatever version, takes it for whole. */
export const unfinishedTransfer = { number: 1_000_000, name: "transfer_not_finished", level: 1_000_000 } as const;

/** The applied migrations, in either database: every column, because the first migrations lack some. */
export const APPLIED_MIGRATIONS = "select * from schema_migrations order by number";

/** From a row of `APPLIED_MIGRATIONS`. */
export function appliedMigrationOf(row: Record<string, unknown>): AppliedMigration {
  return {
    number: Number(row.number),
    name: String(row.name),
    checksum: String(row.checksum),
    oldestServer: Number(row.oldest_server),
    oldestVersion: (row.oldest_version as string | null | undefined) ?? null,
  };
}

export type MigrationProgress = (step: { readonly number: number; readonly name: string; readonly of: number }) => void;

/** Called when something is to be applied and nothing was yet; what it throws stops the migration. */
type BeforeChanging = (applied: readonly AppliedMigration[]) => Promise<void> | void;

function checksumOf(sql: string): string {
  return new Bun.CryptoHasher("sha256").update(sql).digest("hex");
}

/** What is still to do, after checking what was done. Throws when an applied migration differs from ours (`storage.migration_changed`),
 *  the database asks for a newer server (`storage.newer_database`), or it is filled by a transfer (`storage.unfinished_transfer`). */
export function pendingMigrations(known: readonly Migration[], applied: readonly AppliedMigration[]): Migration[] {
  if (applied.some(({ number }) => number === unfinishedTransfer.number)) {
    throw fail(
      "storage.unfinished_transfer",
      "unavailable",
      "The database is the target of a transfer that has not ended: run `spanlight transfer` again with the same two databases, or use another database",
    );
  }
  const required = Math.max(0, ...applied.map((migration) => migration.oldestServer));
  if (required > SERVER_LEVEL) {
    const version = applied.find((migration) => migration.oldestServer === required)?.oldestVersion ?? null;
    const start = version === null ? "start that version" : `start Spanlight ${version} or newer`;
    throw fail(
      "storage.newer_database",
      "unavailable",
      `The database was changed by a newer Spanlight (it asks for server level ${required}, this one has ${SERVER_LEVEL}): ${start}, or restore a backup made before the upgrade`,
    );
  }
  for (const migration of applied) {
    const ours = known.find((candidate) => candidate.number === migration.number);
    if (ours !== undefined && checksumOf(ours.sql) !== migration.checksum)
      throw fail(
        "storage.migration_changed",
        "unavailable",
        `Migration ${migration.number} (${migration.name}) was applied in another form than this Spanlight carries: the database belongs to a different build`,
      );
  }
  const done = new Set(applied.map((migration) => migration.number));
  return known.filter((migration) => !done.has(migration.number));
}

/** Applies what is missing and returns the numbers applied. Several servers may call it at once: each migration is applied by one, the
 *  others wait for it. */
export async function migrate(
  target: MigrationTarget,
  known: readonly Migration[],
  progress: MigrationProgress = () => {},
  beforeChanging: BeforeChanging = () => {},
): Promise<number[]> {
  const before = await target.applied();
  const pending = pendingMigrations(known, before);
  if (pending.length > 0) await beforeChanging(before);
  const applied: number[] = [];
  for (const migration of pending) {
    const { number, name } = migration;
    const onBegin = () => progress({ number, name, of: known.length });
    if (await target.apply(migration, checksumOf(migration.sql), onBegin)) applied.push(number);
  }
  // What another server applied meanwhile may be newer than what this one understands.
  if (applied.length < pending.length) pendingMigrations(known, await target.applied());
  return applied;
}
