// A PostgreSQL database as one side of a transfer, in a session of its own.
import type { PostgresLocation } from "../location.ts";
import { APPLIED_MIGRATIONS, type AppliedMigration, appliedMigrationOf, unfinishedTransfer } from "../migrate.ts";
import { postgresFailure } from "../postgres/failure.ts";
import { openSession, type PostgresSession, type PostgresSql } from "../postgres/session.ts";
import {
  type CatalogColumn,
  type CopiedColumn,
  type CopiedKind,
  type CopiedTable,
  type CopiedValue,
  type CopySource,
  type CopyTarget,
  figuresOf,
  PROGRESS_TABLE,
  tablesOf,
} from "./copied-tables.ts";

const quoted = (name: string) => `"${name}"`;
const opening = { name: "transfer", statementTimeout: null } as const;

/** Reads one state of the database: what is written meanwhile is not seen. */
export async function openPostgresSource(location: PostgresLocation): Promise<CopySource> {
  const session = await openBegun(location);
  const { sql } = session;
  await sql.unsafe(`${sql.begin}; set transaction isolation level repeatable read, read only`);
  return {
    tables: await readTables(sql),
    applied: await readApplied(sql),
    async rows({ name, columns, key }, after, limit) {
      const keys = key.map((column) => quoted(column.name)).join(", ");
      const given = key.map(({ kind }, position) => `$${position + 1}::${types[kind]}`).join(", ");
      const behind = after === null ? "" : `where (${keys}) > (${given})`;
      // Not by their own names: `order by` would take the text of a number for the number.
      const read = columns.map((column, position) => `${readColumn(column)} as c${position}`).join(", ");
      const text = `select ${read} from ${quoted(name)} ${behind} order by ${keys} limit ${limit}`;
      const rows = await sql.unsafe(text, after ?? [], { prepare: true });
      return rows.map((row) => columns.map((_, position) => row[`c${position}`] as CopiedValue));
    },
    async lastIds() {
      const rows = await sql.unsafe(`select sequence.relname as sequence, owner.relname as "table"
        from pg_class sequence join pg_depend d on d.objid = sequence.oid and d.deptype = 'i' join pg_class owner on owner.oid = d.refobjid
        where sequence.relkind = 'S' and sequence.relnamespace = to_regnamespace(quote_ident(current_schema()))`);
      const found = new Map<string, string>();
      for (const { sequence, table } of rows) {
        const [state] = await sql.unsafe(`select last_value::text as id, is_called from ${quoted(String(sequence))}`);
        if (state!.is_called === true) found.set(String(table), String(state!.id));
      }
      return found;
    },
    figures: (table) => readFigures(sql, table),
    close: async () => session.end(),
  };
}

/** A migrated database. */
export async function openPostgresTarget(location: PostgresLocation): Promise<CopyTarget> {
  const session = await openBegun(location);
  const { sql } = session;
  const inTransaction = async (work: () => Promise<unknown>) => {
    try {
      await sql.unsafe(sql.begin);
      await work();
      await sql.unsafe("commit");
    } catch (error) {
      await sql.unsafe("rollback").catch(() => {});
      throw postgresFailure(error);
    }
  };
  return {
    tables: await readTables(sql),
    applied: await readApplied(sql),
    async progress() {
      const [found] = await sql.unsafe(`select to_regclass('${PROGRESS_TABLE}') is not null as begun`);
      if (found!.begun !== true) return null;
      const rows = await sql.unsafe(`select table_name, last_key, complete from ${PROGRESS_TABLE}`);
      return rows.map(({ table_name, last_key, complete }) => ({
        table: String(table_name),
        lastKey: last_key as string | null,
        isComplete: Number(complete) === 1,
      }));
    },
    begin: (tables) =>
      inTransaction(async () => {
        await sql.unsafe(
          `create table ${PROGRESS_TABLE} (table_name text primary key, last_key text, complete bigint not null)`,
        );
        for (const { name } of tables) await sql.unsafe(`delete from ${quoted(name)}`);
        await sql`insert into schema_migrations (number, name, checksum, oldest_server, applied_us)
          values (${unfinishedTransfer.number}, ${unfinishedTransfer.name}, '', ${unfinishedTransfer.level}, 0)`;
      }),
    insert: ({ name, columns }, rows, { table, lastKey, isComplete }) =>
      inTransaction(async () => {
        if (rows.length > 0) {
          const names = columns.map((column) => quoted(column.name)).join(", ");
          const lists = columns.map((_, position) => `$${position + 1}::text[]`).join(", ");
          await sql.unsafe(
            `insert into ${quoted(name)} (${names}) select ${columns.map(writtenColumn).join(", ")} from unnest(${lists}) as given (${names})`,
            columns.map((_, position) => rows.map((row) => textOf(row[position]!))),
            { prepare: true },
          );
        }
        await sql`insert into transfer_progress (table_name, last_key, complete) values (${table}, ${lastKey}, ${Number(isComplete)})
          on conflict (table_name) do update set last_key = excluded.last_key, complete = excluded.complete`;
      }),
    figures: (table) => readFigures(sql, table),
    async finish(lastIds) {
      await inTransaction(async () => {
        for (const [table, id] of lastIds)
          await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${id}::text::bigint)`;
        await sql.unsafe(`drop table ${PROGRESS_TABLE}`);
        await sql`delete from schema_migrations where number = ${unfinishedTransfer.number}`;
      });
      await sql.unsafe("analyze");
    },
    close: async () => session.end(),
  };
}

async function openBegun(location: PostgresLocation): Promise<PostgresSession> {
  const session = openSession(location, opening);
  try {
    await session.begin();
    return session;
  } catch (error) {
    session.end();
    throw postgresFailure(error);
  }
}

async function readTables(sql: PostgresSql): Promise<CopiedTable[]> {
  const columns = await sql.unsafe<CatalogColumn>(`
    select c.table_name as "table", c.column_name as "column", c.data_type as type, coalesce(k.place, 0)::int as place
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    left join (
      select x.indrelid, a.attname, array_position(x.indkey::int2[], a.attnum) + 1 as place
      from pg_index x join pg_attribute a on a.attrelid = x.indrelid and a.attnum = any (x.indkey) where x.indisprimary
    ) k on k.indrelid = (quote_ident(c.table_schema) || '.' || quote_ident(c.table_name))::regclass and k.attname = c.column_name
    where c.table_schema = current_schema() and t.table_type = 'BASE TABLE'
    order by c.table_name, c.ordinal_position`);
  const references = await sql.unsafe<{ table: string; target: string }>(`
    select child.relname as "table", parent.relname as target
    from pg_constraint f join pg_class child on child.oid = f.conrelid join pg_class parent on parent.oid = f.confrelid
    where f.contype = 'f' and child.relnamespace = to_regnamespace(quote_ident(current_schema()))`);
  return tablesOf(columns, references);
}

/** None in a database of another program. */
async function readApplied(sql: PostgresSql): Promise<AppliedMigration[]> {
  const [found] = await sql.unsafe("select to_regclass('schema_migrations') is not null as there");
  return found!.there === true ? (await sql.unsafe(APPLIED_MIGRATIONS)).map(appliedMigrationOf) : [];
}

async function readFigures(sql: PostgresSql, table: CopiedTable): Promise<string> {
  const [row] = await sql.unsafe(figuresOf(table));
  return String(row!.figures);
}

const types: Readonly<Record<CopiedKind, string>> = {
  integer: "bigint",
  real: "double precision",
  text: "text",
  bytes: "bytea",
  json: "jsonb",
};

function readColumn({ name, kind }: CopiedColumn): string {
  return kind === "integer" || kind === "json" ? `${quoted(name)}::text` : quoted(name);
}

/** The client knows lists of texts only. */
function textOf(value: CopiedValue): string | null {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("hex");
  return typeof value === "number" ? String(value) : value;
}

function writtenColumn({ name, kind }: CopiedColumn): string {
  return kind === "bytes" ? `decode(given.${quoted(name)}, 'hex')` : `given.${quoted(name)}::${types[kind]}`;
}
