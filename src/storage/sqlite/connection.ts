// One connection to the SQLite file: pragmas by role and a bounded cache of prepared statements. It is synchronous and
// belongs to one thread; the driver decides which.
import { constants, Database, type SQLQueryBindings, type Statement } from "bun:sqlite";
import { Failure, fail, messageOf } from "../../kernel/failure.ts";
import { containsFolded, foldCase } from "../../kernel/fold-case.ts";
import { DUPLICATE } from "../duplicate.ts";
import type { SqliteLocation } from "../location.ts";
import { CONTAINS_FOLDED, FOLD_CASE } from "./dialect.ts";
import { makePrivate } from "./private-files.ts";
import { diskFull, releaseReserve } from "./reserve.ts";

type SqliteRole = "writer" | "reader";
type SqliteRow = Record<string, unknown>;

export interface SqliteResult {
  readonly rows: SqliteRow[];
  readonly changes: number;
  readonly lastInsertId: number;
}

/** Statements kept prepared on one connection; dynamic filters make many texts. */
const STATEMENTS_KEPT = 256;
/** Pages are 8 KiB: at 3 million rows larger ones gave no speed and three times the log. */
const PAGE_BYTES = 8192;
const WRITER_CACHE_KIB = 32 * 1024;
const READER_CACHE_KIB = 8 * 1024;
/** The log is cut back to this many bytes after a checkpoint. */
const JOURNAL_BYTES = 64 * 1024 * 1024;
const BUSY_MILLISECONDS = 10_000;
const SWITCH_PAUSE_MILLISECONDS = 20;
/** SQLITE_FCNTL_NULL_IO, which the runtime does not name. */
const NULL_IO = 43;

/** A statement that another thread asks for. */
export interface StatementMessage {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export interface SqliteConnection {
  readonly role: SqliteRole;
  /** False also after SQLite has rolled back by itself, as it does when the disk is full. */
  readonly inTransaction: boolean;
  readonly isClosed: boolean;
  /** Runs one statement and collects its rows. */
  execute(sql: string, parameters?: readonly unknown[]): SqliteResult;
  /** A prepared statement for a loop; stays prepared as long as the connection. */
  prepare(sql: string): Statement<SqliteRow, SQLQueryBindings[]>;
  /** Runs statements without parameters, separated by semicolons. */
  script(sql: string): void;
  /** SQLite deletes the log by its name when the last connection closes: not one that another process has put there. */
  keepLog(): void;
  /** Nothing is read from the database file or written to it any more, closing included. */
  letGo(): void;
  close(): void;
}

function applyPragmas(database: Database, role: SqliteRole, location: SqliteLocation): void {
  database.run(`pragma busy_timeout = ${BUSY_MILLISECONDS}`);
  if (role === "reader") {
    database.run("pragma query_only = on");
    database.run(`pragma cache_size = -${READER_CACHE_KIB}`);
    return;
  }
  const isNew = database.query("select 1 from sqlite_schema").get() === null;
  // Both must be set before the first table exists. Setting them again would write the first page of the file.
  if (isNew) {
    database.run(`pragma page_size = ${PAGE_BYTES}`);
    database.run("pragma auto_vacuum = incremental");
  }
  switchToWal(database);
  database.run(`pragma synchronous = ${location.temporary ? "off" : location.synchronous}`);
  database.run("pragma foreign_keys = on");
  // Checkpoints are made by the writer between transactions (maintenance.ts), never inside an acknowledged one.
  database.run("pragma wal_autocheckpoint = 0");
  database.run(`pragma journal_size_limit = ${JOURNAL_BYTES}`);
  database.run(`pragma cache_size = -${WRITER_CACHE_KIB}`);
  database.run("pragma temp_store = memory");
  // Fails for a file that cannot be written. What is rolled back never reaches the file.
  if (!isNew) database.run("begin immediate; pragma user_version = 1; rollback");
}

/** SQLite waits for no other process here: it reads the header first, and a process that has read must not wait to write. */
function switchToWal(database: Database): void {
  for (const end = performance.now() + BUSY_MILLISECONDS; ; Bun.sleepSync(SWITCH_PAUSE_MILLISECONDS)) {
    try {
      database.run("pragma journal_mode = wal");
      return;
    } catch (error) {
      if (!codeOfCause(error).startsWith("SQLITE_BUSY") || performance.now() > end) throw error;
    }
  }
}

export function isSqliteError(error: unknown): boolean {
  return String((error as { code?: unknown } | null)?.code ?? "").startsWith("SQLITE_");
}

/** The file is damaged or no database any more, or something of the schema is missing: no row can help it. */
export function isUnusable(error: unknown): boolean {
  const cause = error instanceof Failure ? error.details.cause : error;
  return /^SQLITE_(?:CORRUPT|NOTADB|PERM|AUTH|NOMEM)/.test(codeOfCause(error)) || /^no such /.test(messageOf(cause));
}

/** A disk without space for the files beside the database shows as an I/O error too. */
function causeOf(error: unknown): string {
  const code = (error as { code?: string }).code ?? "";
  return code.startsWith("SQLITE_IOERR") ? `${messageOf(error)}; the disk is full or failing` : messageOf(error);
}

/** What a SQLite error means to a caller: a full disk and a file that cannot be written are states of the store, not bugs. */
export function sqliteFailure(error: unknown): Failure {
  const code = (error as { code?: string }).code ?? "";
  const message = causeOf(error);
  if (code.startsWith("SQLITE_FULL")) return diskFull(error);
  if (code.startsWith("SQLITE_READONLY") || code.startsWith("SQLITE_CANTOPEN"))
    return fail("storage.read_only", "unavailable", `The database file cannot be written: ${message}`, {
      cause: error,
      retryAfterSeconds: 30,
    });
  if (code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_IOERR"))
    return fail("storage.busy", "unavailable", `The database file is not available: ${message}`, {
      cause: error,
      retryAfterSeconds: 5,
    });
  if (/^SQLITE_(?:CORRUPT|NOTADB)/.test(code))
    return fail("storage.damaged", "unavailable", `The database file is damaged: ${message}`, {
      cause: error,
      retryAfterSeconds: 30,
    });
  const isDuplicate = code === "SQLITE_CONSTRAINT_UNIQUE" || code === "SQLITE_CONSTRAINT_PRIMARYKEY";
  return fail(isDuplicate ? DUPLICATE : "storage.statement_failed", "internal", message, { cause: error });
}

/** Opens the file; the writer creates it when it is missing, and gives up the reserve when the disk has no space for the files
 *  beside it. Fails with kind `unavailable` when it cannot be opened. */
export function openSqlite(location: SqliteLocation, role: SqliteRole): SqliteConnection {
  try {
    return open(location, role);
  } catch (error) {
    const mayBeFull = role === "writer" && /^SQLITE_(?:FULL|IOERR)/.test(codeOfCause(error));
    if (mayBeFull && releaseReserve(location.path)) return open(location, role);
    throw error;
  }
}

function codeOfCause(error: unknown): string {
  const cause = error instanceof Failure ? error.details.cause : error;
  return String((cause as { code?: unknown } | null | undefined)?.code ?? "");
}

function open(location: SqliteLocation, role: SqliteRole): SqliteConnection {
  let database: Database;
  try {
    database = new Database(location.path, role === "writer" ? { readwrite: true, create: true } : { readwrite: true });
    applyPragmas(database, role, location);
    if (role === "writer") makePrivate(location.path);
    database.function(FOLD_CASE, (text: string | null) => (text === null ? null : foldCase(text)));
    database.function(CONTAINS_FOLDED, (text: string | null, foldedNeedle: string | null) =>
      text === null || foldedNeedle === null ? null : Number(containsFolded(text, foldedNeedle)),
    );
  } catch (error) {
    throw fail(
      "storage.cannot_open",
      "unavailable",
      `The database file ${location.path} cannot be opened${role === "writer" ? " for writing" : ""}: ${causeOf(error)}`,
      { cause: error },
    );
  }
  const statements = new Map<string, Statement<SqliteRow, SQLQueryBindings[]>>();
  const pinned = new Map<string, Statement<SqliteRow, SQLQueryBindings[]>>();
  let isClosed = false;

  function statementFor(sql: string): Statement<SqliteRow, SQLQueryBindings[]> {
    const known = statements.get(sql);
    if (known !== undefined) {
      // Moved to the end: the first of the map is then the one unused for longest.
      statements.delete(sql);
      statements.set(sql, known);
      return known;
    }
    const statement = database.prepare<SqliteRow, SQLQueryBindings[]>(sql);
    statements.set(sql, statement);
    if (statements.size > STATEMENTS_KEPT) {
      const [oldest, unused] = statements.entries().next().value!;
      statements.delete(oldest);
      unused.finalize();
    }
    return statement;
  }

  return {
    role,
    get inTransaction() {
      return database.inTransaction;
    },
    get isClosed() {
      return isClosed;
    },
    execute(sql, parameters = []) {
      try {
        const statement = statementFor(sql);
        const bindings = parameters as SQLQueryBindings[];
        if (statement.columnNames.length > 0) {
          const rows = statement.all(...bindings);
          return { rows, changes: rows.length, lastInsertId: 0 };
        }
        const { changes, lastInsertRowid } = statement.run(...bindings);
        return { rows: [], changes, lastInsertId: Number(lastInsertRowid) };
      } catch (error) {
        throw sqliteFailure(error);
      }
    },
    prepare(sql) {
      let statement = pinned.get(sql);
      if (statement === undefined) {
        statement = database.prepare<SqliteRow, SQLQueryBindings[]>(sql);
        pinned.set(sql, statement);
      }
      return statement;
    },
    script(sql) {
      try {
        database.run(sql);
      } catch (error) {
        throw sqliteFailure(error);
      }
    },
    keepLog() {
      database.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, 1);
    },
    letGo() {
      database.fileControl(NULL_IO, 0);
    },
    close() {
      isClosed = true;
      for (const statement of [...statements.values(), ...pinned.values()]) statement.finalize();
      database.close();
    },
  };
}
