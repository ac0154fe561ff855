// What calls of models cost: of single spans, and summed over traces, sessions and projects, where each call counts once.
import { type RawBuilder, sql } from "kysely";
import { costSources } from "../../../costs/span-cost.ts";
import { isPlain, type StatisticScope, spansInScope } from "../../../filter/scope.ts";
import type { Settled } from "../../../filter/settled.ts";
import type { Dialect } from "../../../storage/dialect.ts";
import type { Range } from "../../../storage/period.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { TimeBins } from "../../../storage/time-bins.ts";
import { createCandidatesStore } from "../../../summaries/blocks/candidates.store.ts";
import { createCostSumsStore } from "../../../summaries/blocks/cost-sums.store.ts";
import type { CostEntry, CostSums } from "./costs.schema.ts";

/** Sums cross as text: beyond 2^53 the databases answer each in its own way. */
interface SumRow {
  readonly key: number;
  readonly prompt_tokens: string | null;
  readonly completion_tokens: string | null;
  readonly prompt: string | null;
  readonly completion: string | null;
  readonly total: string | null;
}

interface EntryRow {
  readonly key: number;
  readonly token_type: string;
  readonly is_prompt: number;
  readonly tokens: string | null;
  readonly cost: string | null;
}

/** Which rows of `spans` are summed, and by what. */
interface Chosen {
  readonly key: RawBuilder<number>;
  readonly from: RawBuilder<unknown>;
  readonly where: RawBuilder<unknown>;
}

export type CostsStore = ReturnType<typeof createCostsStore>;

const once = sql`spans.repeats_child = 0`;

export function createCostsStore(dialect: Dialect) {
  const candidates = createCandidatesStore(dialect);
  const kept = createCostSumsStore(dialect);
  const total = (column: string) => sql`cast(sum(${sql.ref(column)}) as text)`;

  async function sumsOf(
    context: CallContext,
    speed: "short" | "slow",
    { key, from, where }: Chosen,
  ): Promise<Map<number, CostSums>> {
    const { rows } = await sql<SumRow>`
      select ${key} as key, ${total("costs.prompt_tokens")} as prompt_tokens,
        ${total("costs.completion_tokens")} as completion_tokens, ${total("costs.prompt_cost")} as prompt,
        ${total("costs.completion_cost")} as completion, ${total("costs.cost")} as total
      from ${from} join span_costs as costs on costs.span_id = spans.id where ${where} group by 1`.execute(
      context.database.read(context, speed),
    );
    return new Map(rows.map((row) => [Number(row.key), sumsFrom(row)]));
  }

  /** Without any condition but the range. */
  async function keptSums(
    context: CallContext,
    key: "project" | "bin",
    asked: { readonly projectIds: readonly number[]; readonly range: Range; readonly bins: TimeBins | null },
  ): Promise<Map<number, CostSums>> {
    const rows = await kept.select<SumRow>(
      context,
      { ...asked, dimension: "all" },
      (cells) => sql`
        select ${sql.ref(key)} as key, ${total("prompt_tokens")} as prompt_tokens,
          ${total("completion_tokens")} as completion_tokens, ${total("prompt_cost")} as prompt,
          ${total("completion_cost")} as completion, ${total("cost")} as total
        from ${cells} as calls group by 1`,
    );
    return new Map(rows.map((row) => [Number(row.key), sumsFrom(row)]));
  }

  async function entriesOf(
    context: CallContext,
    speed: "short" | "slow",
    { key, from, where }: Chosen,
  ): Promise<Map<number, CostEntry[]>> {
    const { rows } = await sql<EntryRow>`
      select ${key} as key, details.token_type, details.is_prompt, ${total("details.tokens")} as tokens,
        ${total("details.cost")} as cost
      from ${from} join span_cost_details as details on details.span_id = spans.id where ${where} group by 1, 2, 3
      order by 1, 3 desc, 2`.execute(context.database.read(context, speed));
    const byKey = Map.groupBy(rows, (row) => Number(row.key));
    return new Map([...byKey].map(([id, found]) => [id, found.map(entryFrom)]));
  }

  const { oneByOne, withAllBelow, ofTraces, ofSessions } = spansChosenBy(dialect);
  const inScope = async (
    context: CallContext,
    projectIds: readonly number[],
    scope: Settled<StatisticScope>,
  ): Promise<Chosen> => {
    const isCandidate = await candidates.inScope(context, scope);
    const column = sql.ref<number>("spans.project_id");
    const project = isCandidate === null ? column : dialect.withoutIndex(column);
    return {
      key: sql.ref("spans.project_id"),
      from: sql`spans`,
      where: sql`${dialect.inList(project, projectIds)} and ${once} and ${spansInScope(dialect, scope, isCandidate)}`,
    };
  };

  return {
    /** Of the span alone, also of one that repeats a child; spans without a cost are left out. */
    spanSums: (context: CallContext, ids: readonly number[]) => sumsOf(context, "short", oneByOne(ids)),
    spanEntries: (context: CallContext, ids: readonly number[]) => entriesOf(context, "short", oneByOne(ids)),

    /** Of the span and of everything below it, each call once. */
    cumulativeEntries: (context: CallContext, ids: readonly number[]) => entriesOf(context, "slow", withAllBelow(ids)),

    /** Where the amount of each is from, and what its sender says. */
    async spanSources(context: CallContext, ids: readonly number[]) {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("span_costs")
        .select(["span_id", "source", "given_cost as given"])
        .where(dialect.inList(sql.ref("span_id"), ids))
        .execute();
      return new Map(rows.map(({ span_id, source, given }) => [span_id, { source: costSources[source]!, given }]));
    },

    traceSums: (context: CallContext, ids: readonly number[]) => sumsOf(context, "short", ofTraces(ids)),
    traceEntries: (context: CallContext, ids: readonly number[]) => entriesOf(context, "short", ofTraces(ids)),
    sessionSums: (context: CallContext, ids: readonly number[]) => sumsOf(context, "slow", ofSessions(ids)),
    sessionEntries: (context: CallContext, ids: readonly number[]) => entriesOf(context, "slow", ofSessions(ids)),

    projectSums: async (context: CallContext, projectIds: readonly number[], scope: Settled<StatisticScope>) =>
      isPlain(scope)
        ? keptSums(context, "project", { projectIds, range: scope, bins: null })
        : sumsOf(context, "slow", await inScope(context, projectIds, scope)),

    /** Of one project by bin. */
    sumsByBin: (context: CallContext, projectId: number, range: Range, bins: TimeBins) =>
      keptSums(context, "bin", { projectIds: [projectId], range, bins }),
  };
}

/** Spans by the ids of what holds them. */
function spansChosenBy(dialect: Dialect) {
  return {
    oneByOne: (ids: readonly number[]): Chosen => ({
      key: sql.ref("spans.id"),
      from: sql`spans`,
      where: dialect.inList(sql.ref("spans.id"), ids),
    }),
    withAllBelow: (ids: readonly number[]): Chosen => ({
      key: sql.ref("below.top"),
      from: sql`(
        with recursive below (top, id, trace_id, span_key) as (
          select id, id, trace_id, span_key from spans where ${dialect.inList(sql.ref("id"), ids)}
          union
          select below.top, child.id, child.trace_id, child.span_key from below
          join spans as child
            on child.trace_id = below.trace_id and child.parent_key = below.span_key and child.on_cycle = 0
        ) select top, id from below) as below join spans on spans.id = below.id`,
      where: once,
    }),
    ofTraces: (ids: readonly number[]): Chosen => ({
      key: sql.ref("spans.trace_id"),
      from: sql`spans`,
      where: sql`${dialect.inList(sql.ref("spans.trace_id"), ids)} and ${once}`,
    }),
    ofSessions: (ids: readonly number[]): Chosen => ({
      key: sql.ref("traces.session_id"),
      from: sql`traces join spans on spans.trace_id = traces.id`,
      where: sql`${dialect.inList(sql.ref("traces.session_id"), ids)} and ${once}`,
    }),
  };
}

function numberOrNull(text: string | null): number | null {
  return text === null ? null : Number(text);
}

function sumsFrom(row: SumRow): CostSums {
  return {
    promptTokens: numberOrNull(row.prompt_tokens),
    completionTokens: numberOrNull(row.completion_tokens),
    prompt: numberOrNull(row.prompt),
    completion: numberOrNull(row.completion),
    total: numberOrNull(row.total),
  };
}

function entryFrom({ token_type, is_prompt, tokens, cost }: EntryRow): CostEntry {
  return {
    tokenType: token_type,
    isPrompt: Number(is_prompt) === 1,
    tokens: numberOrNull(tokens),
    cost: numberOrNull(cost),
  };
}
