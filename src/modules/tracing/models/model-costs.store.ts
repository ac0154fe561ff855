// What the calls cost that the prices of a model were used for, each call once.
import { type RawBuilder, sql } from "kysely";
import type { Dialect } from "../../../storage/dialect.ts";
import type { Range } from "../../../storage/period.ts";
import type { CallContext } from "../../../storage/storage.ts";
import type { CostEntry, CostSums } from "../costs/costs.schema.ts";

export interface ModelScope extends Range {
  readonly projectId: number | null;
}

/** Sums cross as text: beyond 2^53 the databases answer each in its own way. */
type Sums = { readonly key: number } & { readonly [Name in keyof CostSums]: string | null };

export function createModelCostsStore(dialect: Dialect) {
  const sum = (column: string) => sql`cast(sum(${sql.ref(column)}) as text)`;
  const inScope = (ids: readonly number[], { startUs, endUs, projectId }: ModelScope): RawBuilder<unknown> => {
    const conditions = [dialect.inList(sql.ref("costs.model_id"), ids), sql`spans.repeats_child = 0`];
    if (startUs !== null) conditions.push(sql`costs.start_us >= ${startUs}`);
    if (endUs !== null) conditions.push(sql`costs.start_us < ${endUs}`);
    if (projectId !== null) conditions.push(sql`spans.project_id = ${projectId}`);
    return sql`span_costs as costs join spans on spans.id = costs.span_id where ${sql.join(conditions, sql` and `)}`;
  };
  const numberOrNull = (text: string | null) => (text === null ? null : Number(text));

  return {
    async costSums(context: CallContext, ids: readonly number[], scope: ModelScope): Promise<Map<number, CostSums>> {
      const { rows } = await sql<Sums>`
        select costs.model_id as key, ${sum("costs.prompt_tokens")} as "promptTokens",
          ${sum("costs.completion_tokens")} as "completionTokens", ${sum("costs.prompt_cost")} as prompt,
          ${sum("costs.completion_cost")} as completion, ${sum("costs.cost")} as total
        from ${inScope(ids, scope)} group by 1`.execute(context.database.read(context, "slow"));
      return new Map(
        rows.map(({ key, promptTokens, completionTokens, prompt, completion, total }) => [
          Number(key),
          {
            promptTokens: numberOrNull(promptTokens),
            completionTokens: numberOrNull(completionTokens),
            prompt: numberOrNull(prompt),
            completion: numberOrNull(completion),
            total: numberOrNull(total),
          },
        ]),
      );
    },

    async costEntries(
      context: CallContext,
      ids: readonly number[],
      scope: ModelScope,
    ): Promise<Map<number, CostEntry[]>> {
      const { rows } = await sql<{
        readonly key: number;
        readonly tokenType: string;
        readonly isPrompt: number;
        readonly tokens: string | null;
        readonly cost: string | null;
      }>`
        select calls.key, details.token_type as "tokenType", details.is_prompt as "isPrompt",
          ${sum("details.tokens")} as tokens, ${sum("details.cost")} as cost
        from (select costs.model_id as key, costs.span_id from ${inScope(ids, scope)}) as calls
        join span_cost_details as details on details.span_id = calls.span_id
        group by 1, 2, 3 order by 1, 3 desc, 2`.execute(context.database.read(context, "slow"));
      const byKey = Map.groupBy(rows, ({ key }) => Number(key));
      return new Map(
        [...byKey].map(([key, found]) => [
          key,
          found.map(({ tokenType, isPrompt, tokens, cost }) => ({
            tokenType,
            isPrompt: Number(isPrompt) === 1,
            tokens: numberOrNull(tokens),
            cost: numberOrNull(cost),
          })),
        ]),
      );
    },
  };
}

export type ModelCostsStore = ReturnType<typeof createModelCostsStore>;
