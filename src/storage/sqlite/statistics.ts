// The statistics by which SQLite chooses an index, renewed in steps that read little. Its own `pragma optimize` and `analyze` count every
// entry of each table and index, payloads included, and no process can write meanwhile.
import type { SqliteConnection } from "./connection.ts";

/** Up to this many rows the indexes of a table are analysed; of larger tables only the number of rows is renewed. */
const ROWS_ANALYZED = 50_000;
/** The same of a table that is itself an index: its entries hold whole rows. */
const WIDE_ROWS_ANALYZED = 2000;
/** Entries looked at for the averages of one index. */
const ANALYSIS_LIMIT = 1000;
/** Lists tables that have grown or shrunk tenfold, or have an index without statistics, by an estimate. It only lists them. */
const LIST_CHANGED = "pragma optimize(0x10003)";

interface Table {
  readonly name: string;
  /** `without rowid`: the table is its primary key. */
  readonly isIndex: boolean;
}

interface Index {
  readonly name: string;
  readonly origin: string;
}

/** The scripts that renew the statistics of what has changed since they were taken. Each reads at most `ROWS_ANALYZED` entries of one
 *  index, or none. */
export function listStatisticsDue(connection: SqliteConnection): string[] {
  const changed = connection.execute(LIST_CHANGED).rows.map((row) => String(Object.values(row)[0]));
  const tables = connection
    .execute("select name, wr from pragma_table_list where schema = 'main' and type = 'table' order by name")
    .rows.map(({ name, wr }): Table => ({ name: String(name), isIndex: wr === 1 }));
  const due = tables.filter(({ name }) => changed.includes(`ANALYZE "main".${quoted(name)}`));
  if (due.length === 0) return [];
  // Makes the table of statistics, if there is none.
  return [
    `pragma analysis_limit = ${ANALYSIS_LIMIT}; analyze sqlite_schema`,
    ...due.flatMap((table) => stepsOf(connection, table)),
  ];
}

function stepsOf(connection: SqliteConnection, table: Table): string[] {
  const indexes = connection
    .execute("select name, origin from pragma_index_list(?)", [table.name])
    .rows.map(({ name, origin }): Index => ({ name: String(name), origin: String(origin) }));
  const { rows, isLarge } = sizeOf(connection, table);
  if (isLarge || indexes.length === 0) return [countStep(table, rows)];
  return indexes.map(({ name, origin }) => {
    // SQLite adds a second entry for the primary key of such a table instead of replacing the first.
    const old = table.isIndex && origin === "pk" ? `${deleteStatistics(table, "idx = tbl")}; ` : "";
    return `${old}analyze main.${quoted(name)}`;
  });
}

/** The highest row id, which no table with fewer rows has; null where there is none and the rows are too many to be counted. */
function sizeOf(connection: SqliteConnection, { name, isIndex }: Table): { rows: number | null; isLarge: boolean } {
  const query = isIndex
    ? `select count(*) as rows from (select 1 from ${quoted(name)} limit ${WIDE_ROWS_ANALYZED + 1})`
    : `select coalesce(max(rowid), 0) as rows from ${quoted(name)}`;
  const rows = Number(connection.execute(query).rows[0]?.rows);
  if (!isIndex) return { rows, isLarge: rows > ROWS_ANALYZED };
  const isLarge = rows > WIDE_ROWS_ANALYZED;
  return { rows: isLarge ? null : rows, isLarge };
}

/** Renews the number of rows and keeps the averages, which come from the first entries anyhow. How many rows a partial index has is not
 *  known then: SQLite assumes a share of them. */
function countStep(table: Table, rows: number | null): string {
  const count = rows ?? "10 * cast(stat as integer)";
  const ofTable = `tbl = ${literal(table.name)}`;
  const partial = `select name from pragma_index_list(${literal(table.name)}) where partial = 1`;
  return [
    `insert into sqlite_stat1 (tbl, idx, stat) select ${literal(table.name)}, null, '0'
      where not exists (select 1 from sqlite_stat1 where ${ofTable})
        and not exists (select 1 from pragma_index_list(${literal(table.name)}))`,
    deleteStatistics(table, `idx in (${partial})`),
    `update sqlite_stat1 set stat = ${count} || substr(stat, instr(stat || ' ', ' ')) where ${ofTable}`,
    "analyze sqlite_schema",
  ].join(";\n");
}

function deleteStatistics({ name }: Table, condition: string): string {
  return `delete from sqlite_stat1 where tbl = ${literal(name)} and ${condition}`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
