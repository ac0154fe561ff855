// The rows that `spanlight verify` recomputes from the spans, read in slices by key.
import { type RawBuilder, sql } from "kysely";
import { costSourceCode } from "../../../../costs/span-cost.ts";
import { type TraceCount, traceCountNames, traceCounts } from "../../../../model/summaries/rollups/rollup-totals.ts";
import { sessionCounts, sharedCounts } from "../../../../model/summaries/rollups/session-rollup.ts";
import { type OwnedRows, type OwnedTable, tableOfOwner } from "../../../../storage/owned-tables.ts";
import type { CallContext } from "../../../../storage/storage.ts";

const TRACES_AT_ONCE = 500;

export function createVerifyStore({ dialect, ownedTables }: OwnedRows) {
  return {
    /** Traces after the given id, at most a slice, with their stored totals. */
    listTraces: (context: CallContext, after: number) =>
      context.database
        .read(context, "short")
        .selectFrom("traces")
        .leftJoin("projects", "projects.id", "traces.project_id")
        .leftJoin("sessions", "sessions.id", "traces.session_id")
        .selectAll("traces")
        .select(["projects.id as foundProject", "sessions.id as foundSession"])
        .select(sql<string>`cast(traces.cost as text)`.as("costText"))
        .where("traces.id", ">", after)
        .orderBy("traces.id")
        .limit(TRACES_AT_ONCE)
        .execute(),

    /** What the spans of a trace add up to, their own counts only. */
    spanTotals: async (context: CallContext, traceId: number) => {
      const { rows } = await sql<Record<(typeof totalNames)[number], number | null> & { costText: string }>`
        select min(start_us) as start_us, max(start_us + latency_us) as end_us, ${sql.join(recounts)},
          cast(coalesce(sum(case when repeats_child = 0 then own_cost end), 0) as text) as "costText",
          sum(case when project_id <> (select project_id from traces where id = ${traceId}) then 1 else 0 end) as strays
        from spans where trace_id = ${traceId}`.execute(context.database.read(context, "short"));
      return rows[0]!;
    },

    listSessions: (context: CallContext, after: number) =>
      context.database
        .read(context, "short")
        .selectFrom("sessions")
        .selectAll()
        .select(sql<string>`cast(cost as text)`.as("costText"))
        .where("id", ">", after)
        .orderBy("id")
        .limit(TRACES_AT_ONCE)
        .execute(),

    /** What the traces of a session add up to. */
    sessionTotals: async (context: CallContext, sessionId: number) => {
      const { rows } = await sql<Record<(typeof sessionTotalNames)[number], number | null> & { costText: string }>`
        select count(*) as trace_count, min(start_us) as start_us, max(end_us) as end_us,
          coalesce(sum(case when error_count > 0 then 1 else 0 end), 0) as error_trace_count,
          ${sql.join(sharedSums)},
          cast(coalesce(sum(cost), 0) as text) as "costText"
        from traces where session_id = ${sessionId} and span_count > 0`.execute(
        context.database.read(context, "short"),
      );
      return rows[0]!;
    },

    /** Rows that belong to nothing: payloads, large values and spans without their owner, spans without a payload; and what keys
     *  and orders of spans say wrongly. */
    countFaults: async (context: CallContext) => {
      const database = context.database.read(context, "slow");
      const counts: Record<string, number> = {};
      for (const [what, query] of Object.entries({
        ...orphanQueries,
        ...Object.fromEntries(ownedTables.map(withoutOwner)),
        ...datasetQueries,
        ...dialect.spanOrders.faults,
      })) {
        const { rows } = await sql<{ count: number }>`${query}`.execute(database);
        counts[what] = Number(rows[0]?.count ?? 0);
      }
      return counts;
    },
  };
}

/** What the spans of a trace say of each count, in words of the database: another way than that of ingestion. */
const recounted: Readonly<Record<TraceCount, string>> = {
  spanCount: "count(*)",
  errorCount: "sum(case when status = 2 then 1 else 0 end)",
  llmCount: "sum(case when kind = 1 then 1 else 0 end)",
  toolCount: "sum(case when kind = 3 then 1 else 0 end)",
  prompt: "sum(case when repeats_child = 0 then coalesce(prompt_tokens, 0) else 0 end)",
  completion: "sum(case when repeats_child = 0 then coalesce(completion_tokens, 0) else 0 end)",
};
const recounts = traceCountNames.map(
  (name) => sql`cast(${sql.raw(recounted[name])} as bigint) as ${sql.ref(traceCounts[name].column)}`,
);

const sharedSums = Object.values(sharedCounts).map(
  ({ column }) => sql`cast(coalesce(sum(${sql.ref(column)}), 0) as bigint) as ${sql.ref(column)}`,
);

export const totalNames = [
  ...Object.values(traceCounts).map(({ column }) => column),
  "start_us",
  "end_us",
  "strays",
] as const;
export const sessionTotalNames = [
  ...Object.values(sessionCounts).map(({ column }) => column),
  "start_us",
  "end_us",
] as const;

function withoutOwner({ owner, table, column }: OwnedTable) {
  const query = sql`select count(*) as count from ${sql.table(table)} o
    where not exists (select 1 from ${sql.table(tableOfOwner[owner])} t where t.id = ${sql.ref(`o.${column}`)})`;
  return [`${table} without their ${owner}`, query];
}

const orphanQueries = {
  "spans without a trace": sql`select count(*) as count from spans s
    where not exists (select 1 from traces t where t.id = s.trace_id)`,
  "spans without a payload": sql`select count(*) as count from spans s
    where not exists (select 1 from span_payloads p where p.span_id = s.id)`,
  "large values without a payload that names them": sql`select count(*) as count from large_values v
    where not exists (select 1 from span_payloads p where p.span_id = v.span_id and p.has_large <> 0)`,
  "spans that say another cost than the row of it": sql`select count(*) as count from spans s
    where s.own_cost is not null and not exists (select 1 from span_costs c where c.span_id = s.id and c.cost = s.own_cost)`,
  "costs that their span does not have": sql`select count(*) as count from span_costs c join spans s on s.id = c.span_id
    where c.cost is not null and s.own_cost is null`,
  "costs whose kinds of tokens come to something else": sql`select count(*) as count from span_costs c
    where c.source = ${sql.lit(costSourceCode("price"))} and c.cost <> (
      select coalesce(sum(d.cost), 0) from span_cost_details d where d.span_id = c.span_id)`,
  "custom providers without a configuration": sql`select count(*) as count from custom_providers where length(config) = 0`,
  "versions of prompts for a custom provider that does not exist": sql`select count(*) as count from prompt_versions v
    where v.custom_provider_id is not null
      and not exists (select 1 from custom_providers c where c.id = v.custom_provider_id)`,
  "evaluators of datasets without the project of their traces": sql`select count(*) as count from dataset_evaluators e
    where e.deletion_began_us is null and not exists (select 1 from projects p where p.name = e.project_name)`,
  "LLM evaluators that no dataset uses": sql`select count(*) as count from evaluators e
    where e.kind = 'LLM' and not exists (select 1 from dataset_evaluators l where l.evaluator_id = e.id)`,
  "evaluators with a tag of another prompt": sql`select count(*) as count from evaluators e
    join prompt_version_tags t on t.id = e.prompt_tag_id where t.prompt_id <> e.prompt_id`,
  "spans in the wrong epoch": sql`select count(*) as count from spans where epoch <> id / 65536`,
};

/** Versions of datasets, against those before them and against what they changed. A deletion that was cut off goes on at the start. */
const datasetQueries: Record<string, RawBuilder<unknown>> = {
  "versions of datasets whose examples are not the sum of the changes": sql`select count(*) as count from (
      select example_count, sum(created_count - deleted_count) over (partition by dataset_id order by id) as summed
      from dataset_versions
    ) as versions where example_count <> summed`,
  "versions of datasets whose counts are not those of their revisions": sql`select count(*) as count from (
      select versions.id from dataset_versions as versions
      inner join datasets on datasets.id = versions.dataset_id and datasets.deleting = 0
      left join dataset_revisions as revisions on revisions.version_id = versions.id
      group by versions.id, versions.created_count, versions.updated_count, versions.deleted_count
      having coalesce(sum(case when revisions.kind = 'CREATE' then 1 else 0 end), 0) <> versions.created_count
        or coalesce(sum(case when revisions.kind = 'PATCH' then 1 else 0 end), 0) <> versions.updated_count
        or coalesce(sum(case when revisions.kind = 'DELETE' then 1 else 0 end), 0) <> versions.deleted_count
    ) as wrong`,
};
