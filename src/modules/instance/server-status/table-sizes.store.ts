// How many bytes each table takes, and its indexes. SQLite looks through every page of the file for it: a second a gigabyte or less.
import { sql } from "kysely";
import type { Dialect } from "../../../storage/dialect.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { TableSize } from "./contents.rules.ts";

export interface TableSizes {
  readonly tables: readonly TableSize[];
  /** Free pages of the file; on PostgreSQL free space is part of its table. */
  readonly freeBytes: number;
}

export type TableSizesStore = ReturnType<typeof createTableSizesStore>;

export function createTableSizesStore(dialect: Dialect) {
  const ofSqlite = sql<TableSize>`
    select coalesce(m.tbl_name, d.name) as "table",
      sum(case when m.type = 'index' then 0 else d.pgsize end) as bytes,
      sum(case when m.type = 'index' then d.pgsize else 0 end) as "indexBytes"
    from dbstat d left join sqlite_schema m on m.name = d.name
    where d.aggregate = true group by 1`;
  const ofPostgres = sql<TableSize>`
    select c.relname as "table", pg_table_size(c.oid)::bigint as bytes, pg_indexes_size(c.oid)::bigint as "indexBytes"
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname = current_schema()`;
  const free = sql<{ bytes: number }>`
    select freelist_count * page_size as bytes from pragma_freelist_count(), pragma_page_size()`;

  return {
    async readTableSizes(context: CallContext): Promise<TableSizes> {
      const database = context.database.read(context, "slow");
      const { rows } = await (dialect.name === "sqlite" ? ofSqlite : ofPostgres).execute(database);
      const tables = rows.map(({ table, bytes, indexBytes }) => ({
        table,
        bytes: Number(bytes),
        indexBytes: Number(indexBytes),
      }));
      const [empty] = dialect.name === "sqlite" ? (await free.execute(database)).rows : [];
      return { tables, freeBytes: Number(empty?.bytes ?? 0) };
    },
  };
}
