// The spans, traces and sessions that annotations hang on.
import { sql } from "kysely";
import { spanKinds } from "../../../../model/span.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { TargetKind } from "../annotation-targets.rules.ts";

/** What annotations hang on. */
export interface AnnotatedRow {
  readonly id: number;
  readonly key: string;
  /** Of its trace; null for sessions. */
  readonly traceKey: string | null;
}

const rerankers = sql.lit(spanKinds.indexOf("RERANKER"));

export type AnnotationOwnersStore = ReturnType<typeof createAnnotationOwnersStore>;

export function createAnnotationOwnersStore(dialect: Dialect) {
  const ownersBy = async (
    context: CallContext,
    { owners }: TargetKind,
    by: { readonly keys: readonly string[] } | { readonly ids: readonly number[] },
  ): Promise<AnnotatedRow[]> => {
    const database = context.database.read(context, "short");
    switch (owners) {
      case "spans":
        return database
          .selectFrom("spans")
          .innerJoin("traces", "traces.id", "spans.trace_id")
          .select(["spans.id", "spans.span_key as key", "traces.trace_key as traceKey"])
          .where("keys" in by ? dialect.spanOrders.hasKey(by.keys) : dialect.inList(sql.ref("spans.id"), by.ids))
          .execute();
      case "traces":
        return database
          .selectFrom("traces")
          .select(["id", "trace_key as key", "trace_key as traceKey"])
          .where("keys" in by ? dialect.inList(sql.ref("trace_key"), by.keys) : dialect.inList(sql.ref("id"), by.ids))
          .where("span_count", ">", 0)
          .execute();
      case "sessions":
        return database
          .selectFrom("sessions")
          .select(["id", "session_key as key", sql<string | null>`null`.as("traceKey")])
          .where("keys" in by ? dialect.inList(sql.ref("session_key"), by.keys) : dialect.inList(sql.ref("id"), by.ids))
          .execute();
    }
  };

  return {
    /** By external ids; of spans that share one, the newest. Unknown ids are left out. */
    async find(context: CallContext, kind: TargetKind, keys: readonly string[]): Promise<Map<string, AnnotatedRow>> {
      const owners = new Map<string, AnnotatedRow>();
      if (keys.length === 0) return owners;
      for (const row of await ownersBy(context, kind, { keys })) {
        if ((owners.get(row.key)?.id ?? -1) < row.id) owners.set(row.key, row);
      }
      return owners;
    },

    /** By row ids. Those that are gone are left out. */
    async findRows(context: CallContext, kind: TargetKind, ids: readonly number[]): Promise<Map<number, AnnotatedRow>> {
      const rows = ids.length === 0 ? [] : await ownersBy(context, kind, { ids });
      return new Map(rows.map((row) => [row.id, row]));
    },

    /** Row ids of the owners of these external ids in a project; of spans, in every trace. */
    async listIn(
      context: CallContext,
      kind: TargetKind,
      projectId: number,
      keys: readonly string[],
    ): Promise<number[]> {
      const hasKey =
        kind.owners === "spans" ? dialect.spanOrders.hasKey(keys) : dialect.inList(sql.ref(kind.keyColumn), keys);
      // Not by an index of projects: PostgreSQL takes one for any project as small, and would read all spans of a large one.
      const { rows } = await sql<{ id: number }>`
        select id from ${sql.table(kind.owners)} where ${hasKey} and project_id + 0 = ${projectId}`.execute(
        context.database.read(context, "short"),
      );
      return rows.map(({ id }) => id);
    },

    /** Those of the row ids that are still there; asked inside the transaction that holds their traces or sessions. */
    async listPresent(context: CallContext, kind: TargetKind, ids: readonly number[]): Promise<Set<number>> {
      const { rows } = await sql<{ id: number }>`
        select id from ${sql.table(kind.owners)} where ${dialect.inList(sql.ref("id"), ids)}`.execute(
        context.database.write(context),
      );
      return new Set(rows.map(({ id }) => id));
    },

    /** How many documents spans retrieved, by row id of the span: those of a reranker are its output. */
    async countDocuments(context: CallContext, spanIds: readonly number[]): Promise<Map<number, number>> {
      const column = sql.ref("span_payloads.attributes");
      const { rows } = await sql<{ id: number; documents: number | null }>`
        select spans.id, case when spans.kind = ${rerankers}
            then ${dialect.jsonListLength(column, ["reranker", "output_documents"])}
            else ${dialect.jsonListLength(column, ["retrieval", "documents"])} end as documents
        from spans join span_payloads on span_payloads.span_id = spans.id
        where ${dialect.inList(sql.ref("spans.id"), spanIds)}`.execute(context.database.read(context, "short"));
      return new Map(rows.map(({ id, documents }) => [id, documents ?? 0]));
    },
  };
}
