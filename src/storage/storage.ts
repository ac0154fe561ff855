// The one interface of storage. Two drivers implement it (sqlite/, postgres/); the comments here are their contract and
// tests/contract runs it against both.
import type { Kysely, Transaction } from "kysely";
import type { Principal } from "../access/principal.ts";
import type { Dialect } from "./dialect.ts";
import type { Tables } from "./tables.ts";

/** How long a read may take, decided by who asks:
 *  `short` for look-ups by id, list pages and trees, known to be quick on an index;
 *  `slow` for everything with a filter, search, sort without index, export or statistics: it runs where it can be
 *  stopped, and is stopped at the deadline of its context;
 *  `walk` for a slow read in the order of an index that ends when a page is full: no planner may collect every match first and sort
 *  them, however few it expects. */
export type ReadClass = "short" | "slow" | "walk";

/** Queries run on a pool of readers or inside a transaction; a store cannot tell and need not. */
export type Database = Kysely<Tables> | Transaction<Tables>;

/** Handed to every service method and on to its store. */
export interface CallContext {
  readonly principal: Principal;
  readonly requestId: string;
  /** Milliseconds of `performance.now()` after which a slow read is stopped with kind `unavailable`. */
  readonly deadline: number;
  /** Aborted when the client goes away: stops the slow read it waits for. */
  readonly signal: AbortSignal | null;
  readonly database: DatabaseHandle;
}

/** Where the statements of a context run. Inside `Storage.transaction` every member is that transaction, so a service
 *  called with the inner context joins it. */
export interface DatabaseHandle {
  /** Each read begins its own snapshot after every commit that was acknowledged before it began. */
  read(context: CallContext, readClass: ReadClass): Database;
  /** Single statements that change rows, each durable when it resolves. */
  write(context: CallContext): Database;
  readonly transaction: Transaction<Tables> | null;
}

export interface StorageReadiness {
  /** What keeps rows from being added while they can be deleted: a full disk; null where nothing is known. */
  readonly note: string | null;
}

interface PoolUsage {
  readonly pool: string;
  /** Connections that are there, and those of them that are held. */
  readonly open: number;
  readonly busy: number;
  /** Callers that wait for one. */
  readonly waiting: number;
}

export interface Storage {
  readonly dialect: Dialect;
  /** False behind a pooler of transactions: one that stays open keeps one of the few sessions that all share. */
  readonly keepsSessions: boolean;
  /** The handle for contexts outside any transaction. */
  readonly handle: DatabaseHandle;
  /** Runs `work` in one transaction; commits when it resolves, rolls back when it throws. A context that is already in a
   *  transaction joins it. On PostgreSQL `work` may run again from the start, after a lost connection or a conflict: it must have no
   *  other effects. On SQLite it holds the only writer: 1 s between statements and 5 s in all, then it is
   *  rolled back and fails with kind `unavailable`. */
  transaction<Result>(context: CallContext, work: (context: CallContext) => Promise<Result>): Promise<Result>;
  /** The only way to touch rows of traces and spans that exist: locks the traces in key order, then runs `work` in the same
   *  transaction (docs/protocol/storage.md#order-of-locks). Sessions are locked by `lockSessions` afterwards, last and in id
   *  order. Traces that are gone are left out of `traceIds`. */
  withTraces<Result>(
    context: CallContext,
    traceKeys: readonly string[],
    work: (context: CallContext, traceIds: readonly number[]) => Promise<Result>,
  ): Promise<Result>;
  /** Locks session rows in id order, after all traces. */
  lockSessions(context: CallContext, sessionIds: readonly number[]): Promise<void>;
  /** Resolves when rows can be read and deleted. Rejects with kind `unavailable` and a reason that may be shown to everybody
   *  while nothing can be stored: the primary database is away, read-only, locked by another process, damaged or deleted. */
  readiness(): Promise<StorageReadiness>;
  /** Bytes the database holds: pages in use on SQLite, relation sizes of the schema on PostgreSQL. */
  usedBytes(): Promise<number>;
  /** The pools of connections by their names; none on SQLite. */
  poolUsage(): readonly PoolUsage[];
  /** Gives the planner new statistics of tables that have grown by a factor, and returns their names; quick where none has. Does
   *  nothing on SQLite, whose writer sees to it between its batches. */
  refreshStatistics(): Promise<readonly string[]>;
  close(): Promise<void>;
}
