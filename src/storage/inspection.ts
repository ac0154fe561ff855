// What an operator wants to know of a database before a server opens it, in plain values.
import { type AppliedMigration, pendingMigrations } from "./migrate.ts";
import { migrations } from "./migrations.ts";

export interface StorageInspection {
  /** Name and version of the database. */
  readonly engine: string;
  /** Its major version. */
  readonly major: number;
  /** Names of migrations that a start will apply; null where none was applied yet. */
  readonly pending: readonly string[] | null;
  /** Whether the tables can be made: what a start with migrations needs. */
  readonly mayCreateTables: boolean;
  readonly usedBytes: number;
  /** Bytes left on the disk; null where only the database's own machine knows. */
  readonly freeBytes: number | null;
  /** Of texts: `UTF8` or another one. */
  readonly encoding: string;
  /** How the database sorts texts where a query does not say it. */
  readonly collation: string;
  /** True where nothing can be written: a replica, a read-only database, a file of another user. */
  readonly readOnly: boolean;
  /** Settings of the database that lose acknowledged spans when its machine fails. */
  readonly careless: readonly string[];
  /** Milliseconds by which the clock of the database is ahead of ours; null where they are the same. */
  readonly clockAheadMs: number | null;
  /** True where the file lies on another machine's disk. */
  readonly onNetworkDisk: boolean;
}

export interface ReplicaInspection {
  /** False where the address leads to a database of its own, whose reads would be of other data. */
  readonly isReplica: boolean;
  /** False also for the replica of another database. */
  readonly isOfThisDatabase: boolean;
  /** Milliseconds between what it has received and what it shows; 0 when it has caught up. */
  readonly behindMs: number;
}

/** Throws where the database does not fit this server (`migrate.ts`). */
export function pendingNames(
  kind: "sqlite" | "postgres",
  applied: readonly AppliedMigration[] | null,
): readonly string[] | null {
  return applied === null ? null : pendingMigrations(migrations[kind], applied).map(({ name }) => name);
}
