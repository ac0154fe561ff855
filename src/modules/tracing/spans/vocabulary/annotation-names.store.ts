// Names of annotations in a project. Names are few and annotations many: each name is one step in the index of names.
import { type RawBuilder, sql } from "kysely";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";

export type AnnotatedGrain = "span" | "trace" | "session";

const tables = {
  span: { table: "span_annotations", owner: "span_id", rows: "spans" },
  trace: { table: "trace_annotations", owner: "trace_id", rows: "traces" },
  session: { table: "session_annotations", owner: "session_id", rows: "sessions" },
} as const;

/** Names of all projects that are looked at. */
const MOST_NAMES = 200;
/** Annotations of a name that are looked at for one of the project. */
const MOST_ANNOTATIONS = 1000;

export type AnnotationNamesStore = ReturnType<typeof createAnnotationNamesStore>;

export function createAnnotationNamesStore(dialect: Dialect) {
  /** Whether one of the first annotations of a name is in the project. */
  const isUsed = (grain: AnnotatedGrain, projectId: number, name: RawBuilder<unknown>) => {
    const { table, owner, rows } = tables[grain];
    const first = sql`select ${sql.ref(owner)} as id from ${sql.table(table)} where ${sql.ref(`${table}.name`)} = ${name}
      limit ${sql.lit(MOST_ANNOTATIONS)}`;
    return sql<boolean>`exists (select 1 from (${first}) as first_rows join ${sql.table(rows)} as owners on owners.id = first_rows.id
      where ${dialect.withoutIndex(sql.ref<number>("owners.project_id"))} = ${projectId})`;
  };

  return {
    /** In order, at most `limit`. */
    async list(context: CallContext, grain: AnnotatedGrain, projectId: number, limit: number): Promise<string[]> {
      const table = sql.table(tables[grain].table);
      const found = await sql<{ name: string }>`
        with recursive names(name) as (
          select min(name) from ${table}
          union all
          select (select min(further.name) from ${table} as further where further.name > names.name) from names
          where names.name is not null
        )
        select name from (select name from names where name is not null limit ${sql.lit(MOST_NAMES)}) as known
        where ${isUsed(grain, projectId, sql.ref("known.name"))} limit ${sql.lit(limit)}`.execute(
        context.database.read(context, "slow"),
      );
      return found.rows.map(({ name }) => name);
    },

    /** Those of the names that no annotation of the project has. */
    async findUnused(
      context: CallContext,
      grain: AnnotatedGrain,
      projectId: number,
      names: readonly string[],
    ): Promise<string[]> {
      const unused: string[] = [];
      for (const name of names) {
        const found = await sql<{ used: boolean }>`
          select case when ${isUsed(grain, projectId, sql`${name}`)} then 1 else 0 end as used`.execute(
          context.database.read(context, "short"),
        );
        if (Number(found.rows[0]?.used) === 0) unused.push(name);
      }
      return unused;
    },
  };
}
