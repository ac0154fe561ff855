// A SQLite file as one side of a transfer. It runs on the thread of the command, which does nothing else.
import type { SqliteLocation } from "../location.ts";
import { APPLIED_MIGRATIONS, type AppliedMigration, appliedMigrationOf, unfinishedTransfer } from "../migrate.ts";
import { openSqlite, type SqliteConnection, sqliteFailure } from "../sqlite/connection.ts";
import { sortFullBlocks } from "../sqlite/span-order-blocks.ts";
import {
  type CopiedColumn,
  type CopiedTable,
  type CopiedValue,
  type CopyProgress,
  type CopySource,
  type CopyTarget,
  figuresOf,
  PROGRESS_TABLE,
  rootColumn,
  tablesOf,
} from "./copied-tables.ts";

const quoted = (name: string) => `"${name}"`;

/** Reads one state of the file: what is written meanwhile is not seen. Fails when the file is missing. */
export function openSqliteSource(location: SqliteLocation): CopySource {
  const connection = openSqlite(location, "reader");
  connection.script("begin");
  return {
    tables: readTables(connection),
    applied: readApplied(connection),
    async rows({ name, columns, key }, after, limit) {
      const keys = key.map((column) => quoted(column.name)).join(", ");
      const behind = after === null ? "" : `where (${keys}) > (${key.map(() => "?").join(", ")})`;
      const read = columns.map((column) => readColumn(name, column)).join(", ");
      const statement = connection.prepare(`select ${read} from ${quoted(name)} ${behind} order by ${keys} limit ?`);
      const bound = (after ?? []).map((value, position) => bindable(value, key[position]!));
      return statement.values(...bound, limit) as CopiedValue[][];
    },
    lastIds: async () => {
      const rows = connection.execute("select name, cast(seq as text) as seq from sqlite_sequence where seq > 0").rows;
      return new Map(rows.map(({ name, seq }) => [String(name), String(seq)]));
    },
    figures: async (table) => String(connection.execute(figuresOf(table)).rows[0]!.figures),
    close: async () => connection.close(),
  };
}

/** A migrated file that no server has. */
export function openSqliteTarget(location: SqliteLocation): CopyTarget {
  const connection = openSqlite(location, "writer");
  // Rows come in the order of their tables' keys, not of their references; all of them are checked at the end.
  connection.script("pragma foreign_keys = off");
  const inTransaction = (work: () => void) => {
    try {
      connection.script("begin immediate");
      work();
      connection.script("commit");
    } catch (error) {
      if (connection.inTransaction) connection.script("rollback");
      throw sqliteFailure(error);
    }
  };
  return {
    tables: readTables(connection),
    applied: readApplied(connection),
    async progress() {
      if (connection.execute(`select 1 from sqlite_schema where name = '${PROGRESS_TABLE}'`).rows.length === 0)
        return null;
      const { rows } = connection.execute(`select table_name, last_key, complete from ${PROGRESS_TABLE}`);
      return rows.map(({ table_name, last_key, complete }) => ({
        table: String(table_name),
        lastKey: last_key as string | null,
        isComplete: complete === 1,
      }));
    },
    async begin(tables) {
      inTransaction(() => {
        connection.script(
          `create table ${PROGRESS_TABLE} (table_name text primary key, last_key text, complete integer not null)`,
        );
        for (const { name } of tables) connection.script(`delete from ${quoted(name)}`);
        connection.execute(
          "insert into schema_migrations (number, name, checksum, oldest_server, applied_us) values (?, ?, '', ?, 0)",
          [unfinishedTransfer.number, unfinishedTransfer.name, unfinishedTransfer.level],
        );
      });
    },
    async insert({ name, columns }, rows, progress) {
      inTransaction(() => {
        const places = columns.map(({ kind }) => (kind === "json" ? "jsonb(?)" : "?")).join(", ");
        const names = columns.map((column) => quoted(column.name)).join(", ");
        const statement = connection.prepare(`insert into ${quoted(name)} (${names}) values (${places})`);
        for (const row of rows) statement.run(...row.map((value, position) => bindable(value, columns[position]!)));
        keepProgress(connection, progress);
      });
    },
    figures: async (table) => String(connection.execute(figuresOf(table)).rows[0]!.figures),
    async finish(lastIds) {
      inTransaction(() => {
        const known = connection
          .execute("select name from sqlite_sequence where seq > 0")
          .rows.map(({ name }) => String(name));
        for (const [table, id] of lastIds) {
          const statement = known.includes(table)
            ? "update sqlite_sequence set seq = max(seq, cast(? as integer)) where name = ?"
            : "insert into sqlite_sequence (seq, name) values (cast(? as integer), ?)";
          connection.execute(statement, [id, table]);
        }
        sortFullBlocks(connection, Number(lastIds.get("spans") ?? 0));
        connection.script(`drop table ${PROGRESS_TABLE}`);
        connection.execute("delete from schema_migrations where number = ?", [unfinishedTransfer.number]);
      });
      connection.script("pragma optimize");
    },
    close: async () => connection.close(),
  };
}

function readTables(connection: SqliteConnection): CopiedTable[] {
  const columns = connection.execute(`select t.name as "table", c.name as "column", lower(c.type) as type, c.pk as place
    from sqlite_schema t, pragma_table_info(t.name) c where t.type = 'table' and t.name not like 'sqlite_%'
    order by t.name, c.cid`).rows;
  const references = connection.execute(`select t.name as "table", f."table" as target
    from sqlite_schema t, pragma_foreign_key_list(t.name) f where t.type = 'table'`).rows;
  return tablesOf(
    columns.map(({ table, column, type, place }) => ({
      ...{ table: String(table), column: String(column) },
      ...{ type: String(type), place: Number(place) },
    })),
    references.map(({ table, target }) => ({ table: String(table), target: String(target) })),
  );
}

/** None in a file of another program. */
function readApplied(connection: SqliteConnection): AppliedMigration[] {
  const { rows } = connection.execute("select 1 from sqlite_schema where name = 'schema_migrations'");
  return rows.length === 0 ? [] : connection.execute(APPLIED_MIGRATIONS).rows.map(appliedMigrationOf);
}

function readColumn(table: string, { name, kind }: CopiedColumn): string {
  if (table === rootColumn.table && name === rootColumn.column) return rootColumn.expression;
  if (kind === "integer") return `cast(${quoted(name)} as text)`;
  return kind === "json" ? `json(${quoted(name)})` : quoted(name);
}

function bindable(value: CopiedValue, { kind }: CopiedColumn): string | number | bigint | Uint8Array | null {
  if (kind !== "integer" || value === null) return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : BigInt(value as string);
}

function keepProgress(connection: SqliteConnection, { table, lastKey, isComplete }: CopyProgress): void {
  connection
    .prepare(`insert into ${PROGRESS_TABLE} (table_name, last_key, complete) values (?, ?, ?)
      on conflict (table_name) do update set last_key = excluded.last_key, complete = excluded.complete`)
    .run(table, lastKey, Number(isComplete));
}
