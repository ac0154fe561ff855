// The one place where the cost of a stored span changes, with every sum that holds it: the span, its trace and its session.
import { sql } from "kysely";
import { costSourceCode, type SpanCost } from "../../../../costs/span-cost.ts";
import { markBlocks } from "../../../../storage/span-blocks.ts";
import type { CallContext, Storage } from "../../../../storage/storage.ts";
import { createTraceSumsStore } from "../../../../storage/trace-sums.ts";

/** A span whose cost becomes another one. */
export interface SpanCostChange {
  readonly spanId: number;
  readonly traceId: number;
  /** Of its trace; null without one. */
  readonly sessionId: number | null;
  readonly startUs: number;
  /** Sums leave it out. */
  readonly repeatsChild: boolean;
  /** The amount that it had, 10^-12 USD; null for none. */
  readonly before: number | null;
  readonly after: SpanCost | null;
}

/** Rows of one statement: parameters are counted. */
const ROWS_AT_ONCE = 500;

export function createCostChangesStore(storage: Pick<Storage, "dialect" | "lockSessions">) {
  const { dialect } = storage;
  const sums = createTraceSumsStore(storage);
  async function replaceRows(context: CallContext, changes: readonly SpanCostChange[]): Promise<void> {
    const database = context.database.write(context);
    const ids = changes.map(({ spanId }) => spanId);
    for (const table of ["span_cost_details", "span_costs"] as const) {
      await database
        .deleteFrom(table)
        .where(dialect.inList(sql.ref("span_id"), ids))
        .execute();
    }
    const costs = changes.flatMap((change) => (change.after === null ? [] : [{ ...change, after: change.after }]));
    if (costs.length > 0) await database.insertInto("span_costs").values(costs.map(costRow)).execute();
    const details = costs.flatMap(({ spanId, after }) =>
      after.details.map(({ tokenType, isPrompt, tokens, cost }) => ({
        span_id: spanId,
        token_type: tokenType,
        is_prompt: isPrompt ? 1 : 0,
        tokens,
        cost,
      })),
    );
    for (let at = 0; at < details.length; at += ROWS_AT_ONCE) {
      await database
        .insertInto("span_cost_details")
        .values(details.slice(at, at + ROWS_AT_ONCE))
        .execute();
    }
    const totals = changes.map(({ spanId, after }) => [spanId, after?.total ?? null]);
    await sql`update spans set own_cost = d.cost from ${dialect.integerRows(["id", "cost"], totals)} as d
      where spans.id = d.id`.execute(database);
  }

  return {
    /** Inside the transaction that has locked the traces, as its last step: it locks their sessions. */
    async changeSpanCosts(context: CallContext, changes: readonly SpanCostChange[]): Promise<void> {
      if (changes.length === 0) return;
      for (let at = 0; at < changes.length; at += ROWS_AT_ONCE) {
        await replaceRows(context, changes.slice(at, at + ROWS_AT_ONCE));
      }
      await markBlocks(
        context.database.write(context),
        changes.map(({ spanId }) => spanId),
      );
      const traces = new Map<number, bigint>();
      const sessions = new Map<number, bigint>();
      for (const { traceId, sessionId, repeatsChild, before, after } of changes) {
        if (repeatsChild) continue;
        const difference = BigInt(after?.total ?? 0) - BigInt(before ?? 0);
        traces.set(traceId, (traces.get(traceId) ?? 0n) + difference);
        if (sessionId !== null) sessions.set(sessionId, (sessions.get(sessionId) ?? 0n) + difference);
      }
      await sums.addToTraces(context, costsOf(traces));
      await sums.addToSessions(context, costsOf(sessions));
    },
  };
}

function costsOf(sums: ReadonlyMap<number, bigint>) {
  return Array.from(sums, ([id, cost]) => ({ id, cost }));
}

export type CostChangesStore = ReturnType<typeof createCostChangesStore>;

function costRow({ spanId, traceId, startUs, after }: SpanCostChange & { readonly after: SpanCost }) {
  return {
    span_id: spanId,
    trace_id: traceId,
    model_id: after.modelId,
    start_us: startUs,
    cost: after.total,
    prompt_cost: after.prompt,
    completion_cost: after.completion,
    prompt_tokens: after.promptTokens,
    completion_tokens: after.completionTokens,
    source: costSourceCode(after.source),
    given_cost: after.given,
  };
}
