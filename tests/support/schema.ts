// The real schema of a database by introspection, in words that both databases share.
import { sql } from "kysely";
import type { Database, Storage } from "../../src/storage/storage.ts";
import { type CopiedKind, kindsOfTypes } from "../../src/storage/transfer/copied-tables.ts";

export interface SchemaTable {
  readonly columns: Readonly<
    Record<string, { readonly kind: ColumnKind; readonly nullable: boolean; readonly generated: boolean }>
  >;
  /** Names of the indexes that were given one. */
  readonly indexes: readonly string[];
}

export type ColumnKind = CopiedKind;

/** Tables by name, without those of the database itself. */
export async function schemaOf(storage: Storage, database: Database): Promise<Record<string, SchemaTable>> {
  return storage.dialect.name === "sqlite" ? sqliteSchema(database) : postgresSchema(database);
}

interface ColumnRow {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly nullable: number | boolean;
  readonly generated: number | boolean;
}

async function sqliteSchema(database: Database): Promise<Record<string, SchemaTable>> {
  const columns = await sql<ColumnRow>`
    select t.name as "table", c.name as "column", lower(c.type) as type,
      c."notnull" = 0 and c.pk = 0 as nullable, c.dflt_value is not null or (c.pk = 1 and t.sql like '%autoincrement%') as generated
    from sqlite_schema t, pragma_table_info(t.name) c where t.type = 'table' and t.name not like 'sqlite_%'`.execute(
    database,
  );
  const indexes = await sql<{ table: string; name: string }>`
    select tbl_name as "table", name from sqlite_schema where type = 'index' and sql is not null`.execute(database);
  return gathered(columns.rows, indexes.rows);
}

async function postgresSchema(database: Database): Promise<Record<string, SchemaTable>> {
  const columns = await sql<ColumnRow>`
    select table_name as "table", column_name as "column", data_type as type, is_nullable = 'YES' as nullable,
      column_default is not null or is_identity = 'YES' as generated
    from information_schema.columns where table_schema = current_schema()`.execute(database);
  const indexes = await sql<{ table: string; name: string }>`
    select tablename as "table", indexname as name from pg_indexes i
    where schemaname = current_schema() and not exists (
      select 1 from pg_constraint c where c.conindid = (quote_ident(schemaname) || '.' || quote_ident(indexname))::regclass)`.execute(
    database,
  );
  return gathered(columns.rows, indexes.rows);
}

function gathered(columns: readonly ColumnRow[], indexes: readonly { table: string; name: string }[]) {
  const tables: Record<string, SchemaTable> = {};
  for (const table of [...new Set(columns.map((row) => row.table))].sort()) {
    tables[table] = {
      columns: Object.fromEntries(
        columns
          .filter((row) => row.table === table)
          .map((row) => [
            row.column,
            { kind: kindsOfTypes[row.type]!, nullable: Boolean(row.nullable), generated: Boolean(row.generated) },
          ]),
      ),
      indexes: indexes
        .filter((row) => row.table === table)
        .map((row) => row.name)
        .sort(),
    };
  }
  return tables;
}
