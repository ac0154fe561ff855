// Calls whose costs are recomputed: which there are, what they report, and what they cost so far.
import { sql } from "kysely";
import { costSources, type SpanCost } from "../../../../costs/span-cost.ts";
import { spanKinds } from "../../../../model/span.ts";
import type { Dialect } from "../../../../storage/dialect.ts";
import type { CallContext } from "../../../../storage/storage.ts";
import type { RecomputationScope, ReportedCall } from "../models.schema.ts";

const LLM = spanKinds.indexOf("LLM");

interface ListedCall {
  readonly id: number;
  readonly traceKey: string;
  /** About how much its attributes take. */
  readonly bytes: number;
}

/** Where a call counts. */
interface PlacedCall {
  readonly id: number;
  readonly traceId: number;
  readonly sessionId: number | null;
  readonly startUs: number;
  readonly repeatsChild: boolean;
  readonly messages: number;
}

export type RecomputationStore = ReturnType<typeof createRecomputationStore>;

export function createRecomputationStore(dialect: Dialect) {
  const messages = sql<number>`(select count(*) from span_messages where span_messages.span_id = spans.id)`;

  async function details(context: CallContext, ids: readonly number[]) {
    const rows = await context.database
      .write(context)
      .selectFrom("span_cost_details")
      .selectAll()
      .where(dialect.inList(sql.ref("span_id"), ids))
      .execute();
    return Map.groupBy(rows, (row) => row.span_id);
  }

  return {
    /** Id of the newest span; 0 without any. */
    async newestSpan(context: CallContext): Promise<number> {
      const { rows } = await sql<{ id: number | null }>`select max(id) as id from spans`.execute(
        context.database.read(context, "short"),
      );
      return Number(rows[0]?.id ?? 0);
    },

    /** Those with ids above `after`, up to `last`, in the order of their ids. */
    async listCalls(
      context: CallContext,
      { projectId, modelName, startUs, endUs }: RecomputationScope,
      { after, last }: { readonly after: number; readonly last: number },
    ): Promise<ListedCall[]> {
      let query = context.database
        .read(context, "short")
        .selectFrom("spans")
        .innerJoin("traces", "traces.id", "spans.trace_id")
        .innerJoin("span_payloads", "span_payloads.span_id", "spans.id")
        .select(["spans.id", "trace_key as traceKey", dialect.storedBytes(sql.ref("attributes")).as("bytes")])
        .where("spans.id", ">", after)
        .where("spans.id", "<=", last)
        .where("kind", "=", LLM)
        .orderBy("spans.id");
      if (projectId !== null)
        query = query.where(dialect.withoutIndex(sql.ref<number>("spans.project_id")), "=", projectId);
      if (modelName !== null) query = query.where("model", "=", modelName);
      if (startUs !== null) query = query.where("spans.start_us", ">=", startUs);
      if (endUs !== null) query = query.where("spans.start_us", "<", endUs);
      const rows = await query.execute();
      return rows.map((row) => ({ ...row, bytes: Number(row.bytes) }));
    },

    /** Outside of a transaction, or under the locks of their traces. */
    async readCalls(context: CallContext, ids: readonly number[]): Promise<ReportedCall[]> {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("spans")
        .innerJoin("span_payloads", "span_payloads.span_id", "spans.id")
        .select(["spans.id", "spans.start_us as startUs", messages.as("messages")])
        .select(dialect.jsonText(sql.ref("attributes")).as("attributes"))
        .where(dialect.inList(sql.ref("spans.id"), ids))
        .execute();
      return rows.map((row) => ({ ...row, messages: Number(row.messages) }));
    },

    /** Under the locks of their traces; those that are gone are left out. */
    async readPlaces(context: CallContext, ids: readonly number[]): Promise<PlacedCall[]> {
      const rows = await context.database
        .write(context)
        .selectFrom("spans")
        .innerJoin("traces", "traces.id", "spans.trace_id")
        .select(["spans.id", "trace_id as traceId", "session_id as sessionId", "spans.start_us as startUs"])
        .select(["repeats_child", messages.as("messages")])
        .where(dialect.inList(sql.ref("spans.id"), ids))
        .execute();
      return rows.map(({ repeats_child, messages: count, ...row }) => {
        return { ...row, repeatsChild: repeats_child !== 0, messages: Number(count) };
      });
    },

    /** What these spans cost so far; those without a row are left out. */
    async readCosts(context: CallContext, ids: readonly number[]): Promise<Map<number, SpanCost>> {
      const rows = await context.database
        .write(context)
        .selectFrom("span_costs")
        .selectAll()
        .where(dialect.inList(sql.ref("span_id"), ids))
        .execute();
      const ofSpans = await details(context, ids);
      return new Map(
        rows.map((row) => [
          row.span_id,
          {
            source: costSources[row.source]!,
            modelId: row.model_id,
            total: row.cost,
            prompt: row.prompt_cost,
            completion: row.completion_cost,
            promptTokens: row.prompt_tokens,
            completionTokens: row.completion_tokens,
            given: row.given_cost,
            details: (ofSpans.get(row.span_id) ?? []).map(({ token_type, is_prompt, tokens, cost }) => ({
              tokenType: token_type,
              isPrompt: is_prompt !== 0,
              tokens,
              cost,
            })),
          },
        ]),
      );
    },
  };
}
