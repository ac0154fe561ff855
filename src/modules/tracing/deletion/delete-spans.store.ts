// Single spans of a trace that goes in parts, and the sums of those above them. Runs under the lock of the trace.
import { sql } from "kysely";
import { spanKinds, spanStatuses } from "../../../model/span.ts";
import type { SumVector } from "../../../model/summaries/rollups/rollup.ts";
import type { AncestorRow } from "../../../model/summaries/rollups/rollup-climb.ts";
import type { CountedSpan } from "../../../model/summaries/rollups/rollup-totals.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import type { CallContext } from "../../../storage/storage.ts";

/** What a span counts for, and the sums that everything above it holds of it. */
export interface DoomedSpan {
  readonly id: number;
  readonly parentKey: string | null;
  readonly onCycle: boolean;
  readonly counted: CountedSpan;
  readonly sums: SumVector;
}

export type DeleteSpansStore = ReturnType<typeof createDeleteSpansStore>;

export function createDeleteSpansStore(dialect: Dialect) {
  const doomed = (context: CallContext, traceId: number) =>
    context.database
      .write(context)
      .selectFrom("spans")
      .select(["id", "parent_key", "on_cycle", "repeats_child", "kind", "status", "prompt_tokens", "completion_tokens"])
      .select(["start_us", "latency_us", "sum_errors", "sum_prompt", "sum_completion"])
      .select(sql<string | null>`cast(own_cost as text)`.as("cost_text"))
      .where("trace_id", "=", traceId);
  type Row = Awaited<ReturnType<ReturnType<typeof doomed>["execute"]>>[number];

  const spanFromRow = (row: Row, traceId: number): DoomedSpan => ({
    id: row.id,
    parentKey: row.parent_key,
    onCycle: row.on_cycle !== 0,
    counted: {
      traceId,
      kind: spanKinds[row.kind]!,
      status: spanStatuses[row.status]!,
      promptTokens: row.prompt_tokens,
      completionTokens: row.completion_tokens,
      repeatsChild: row.repeats_child !== 0,
      cost: row.cost_text === null ? null : Number(row.cost_text),
      startUs: row.start_us,
      endUs: row.start_us + row.latency_us,
    },
    sums: { errors: row.sum_errors, prompt: row.sum_prompt, completion: row.sum_completion },
  });

  return {
    /** The first spans of a trace by start time: as a rule parents go before their children, whose sums then stay right. */
    async listEarliest(context: CallContext, traceId: number, limit: number): Promise<DoomedSpan[]> {
      const rows = await doomed(context, traceId).orderBy("start_us").orderBy("id").limit(limit).execute();
      return rows.map((row) => spanFromRow(row, traceId));
    },

    async find(context: CallContext, traceId: number, spanId: number): Promise<DoomedSpan | null> {
      const row = await doomed(context, traceId).where("id", "=", spanId).executeTakeFirst();
      return row === undefined ? null : spanFromRow(row, traceId);
    },

    /** The span `spanKey` and everything above it, each once; at most `limit` steps upwards. */
    async listAncestors(context: CallContext, traceId: number, spanKey: string, limit: number): Promise<AncestorRow[]> {
      const { rows } = await sql<{ id: number; span_key: string; parent_key: string | null; on_cycle: number }>`
        with recursive above (id, span_key, parent_key, on_cycle, step) as (
          select id, span_key, parent_key, on_cycle, 1 from spans
          where trace_id = ${traceId} and span_key = ${spanKey}
          union all
          select s.id, s.span_key, s.parent_key, s.on_cycle, above.step + 1 from above
          join spans s on s.trace_id = ${traceId} and s.span_key = above.parent_key
          where above.on_cycle = 0 and above.step < ${limit}
        )
        select id, span_key, parent_key, on_cycle from above`.execute(context.database.write(context));
      const once = new Map(rows.map((row) => [row.id, row]));
      return [...once.values()].map((row) => ({
        id: row.id,
        traceId,
        spanKey: row.span_key,
        parentKey: row.parent_key,
        onCycle: row.on_cycle !== 0,
      }));
    },

    async addToSums(
      context: CallContext,
      updates: readonly { readonly id: number; readonly delta: SumVector }[],
    ): Promise<void> {
      if (updates.length === 0) return;
      const rows = updates.map(({ id, delta }) => [id, delta.errors, delta.prompt, delta.completion]);
      await sql`
        update spans set sum_errors = sum_errors + d.errors, sum_prompt = sum_prompt + d.prompt,
          sum_completion = sum_completion + d.completion
        from ${dialect.integerRows(["id", "errors", "prompt", "completion"], rows)} as d where spans.id = d.id`.execute(
        context.database.write(context),
      );
    },

    /** The span repeats one of its children, maybe another one. */
    async repeatsChild(context: CallContext, traceId: number, spanKey: string): Promise<boolean> {
      const row = await context.database
        .write(context)
        .selectFrom("spans")
        .select("repeats_child")
        .where("trace_id", "=", traceId)
        .where("span_key", "=", spanKey)
        .executeTakeFirst();
      return row?.repeats_child === 1;
    },

    async isPending(context: CallContext, traceId: number): Promise<boolean> {
      const row = await context.database
        .write(context)
        .selectFrom("pending_rollups")
        .select("trace_id")
        .where("trace_id", "=", traceId)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
