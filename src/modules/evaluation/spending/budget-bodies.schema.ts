// Budgets and spending over REST.
import { type Static, Type } from "@sinclair/typebox";
import { UNITS_PER_USD } from "../../../costs/price-list.ts";
import { globalId } from "../../../kernel/ids.ts";
import { cursorParameter, limitParameter, pageOf } from "../../../kernel/paging.ts";
import { Amount, Closed, Instant, InstantText, Nullable, Words } from "../../../kernel/schema.ts";
import { formatInstant } from "../../../kernel/time.ts";
import { ownerId, type SystemKeys } from "./budget-target.rules.ts";
import {
  BUDGET,
  type BudgetLeft,
  type BudgetRemainder,
  type BudgetScope,
  budgetPeriods,
  budgetScopes,
  callPurposes,
  type ShownBudget,
  type SpendingRow,
} from "./spending.schema.ts";

const ids = Nullable(Type.String());

const BudgetBody = Type.Object(
  {
    id: Type.String(),
    scope: Words(budgetScopes),
    user_id: ids,
    api_key_id: ids,
    project_id: ids,
    period: Words(budgetPeriods),
    max_cost_usd: Nullable(Type.Number()),
    max_tokens: Nullable(Type.Integer()),
    use: Nullable(
      Type.Object({
        cost_usd: Type.Number(),
        tokens: Type.Integer(),
        reserved_cost_usd: Type.Number(),
        reserved_tokens: Type.Integer(),
      }),
      { description: "Null for the budget of each account, key or project." },
    ),
    starts_at: InstantText(),
    ends_at: InstantText(),
    updated_at: InstantText(),
  },
  { $id: "Budget" },
);
export const BudgetAnswer = Type.Object({ data: BudgetBody });
export const BudgetsAnswer = Type.Object({ data: Type.Array(BudgetBody) });

const remainder = (description: string) =>
  Nullable(
    Type.Object({
      left: Type.Number(),
      period: Words(budgetPeriods),
      ends_at: InstantText({ description: "Then it begins again." }),
    }),
    { description },
  );
export const BudgetLeftBody = Type.Object(
  {
    cost: remainder("USD, of the budget that leaves the least; null where none limits money."),
    tokens: remainder("Of the budget that leaves the fewest; null where none limits tokens."),
  },
  { $id: "BudgetLeft" },
);
export const BudgetLeftAnswer = Type.Object({ data: BudgetLeftBody });

export const NewBudget = Closed({
  scope: Words(budgetScopes, { violation: "enum", description: "Whose calls count together." }),
  user_id: Type.Optional(Nullable(Type.String(), { description: "Absent: each account, with calls of its own." })),
  api_key_id: Type.Optional(Nullable(Type.String(), { description: "Absent: each key." })),
  project_id: Type.Optional(Nullable(Type.String(), { description: "Absent: each project." })),
  period: Words(budgetPeriods, { violation: "enum", description: "A day or a month of UTC." }),
  max_cost_usd: Type.Optional(Nullable(Amount({ minimum: 0 }))),
  max_tokens: Type.Optional(Nullable(Type.Integer({ minimum: 0, description: "Of prompts and answers together." }))),
});
export type NewBudget = Static<typeof NewBudget>;

export const SpendingQuery = Type.Object({
  start_time: Type.Optional(Instant({ description: "Days that begin then or later." })),
  end_time: Type.Optional(Instant({ description: "Days that begin before." })),
  cursor: cursorParameter,
  limit: limitParameter({ default: 100 }),
});

const SpendingBody = Type.Object(
  {
    day: Type.String({ description: "Of UTC, such as 2026-05-31." }),
    user_id: ids,
    api_key_id: ids,
    project_id: ids,
    purpose: Words(callPurposes),
    provider: Type.String(),
    model: Type.String(),
    calls: Type.Integer(),
    failed_calls: Type.Integer(),
    prompt_tokens: Type.Integer(),
    completion_tokens: Type.Integer(),
    cost_usd: Type.Number(),
    unpriced_calls: Type.Integer({ description: "Their model has no price: they are not part of the cost." }),
    estimated_calls: Type.Integer({ description: "The provider reported no tokens for them." }),
    lost_calls: Type.Integer({ description: "Their server was lost: what they cost is not known." }),
    lost_cost_usd: Type.Number({ description: "What those were reserved for at most." }),
  },
  { $id: "Spending" },
);
export const SpendingPage = pageOf(SpendingBody);

const usd = (units: bigint) => Number(units) / UNITS_PER_USD;
export const unitsOfUsd = (amount: number) => BigInt(Math.round(amount * UNITS_PER_USD));

export function budgetBody(budget: ShownBudget, systemKeys: SystemKeys): Static<typeof BudgetBody> {
  const { scope, targetId, use } = budget;
  const target = (of: BudgetScope) => (scope === of && targetId !== null ? ownerId(of, targetId, systemKeys) : null);
  return {
    id: globalId(BUDGET, budget.id),
    scope,
    user_id: target("user"),
    api_key_id: target("api_key"),
    project_id: target("project"),
    period: budget.period,
    max_cost_usd: budget.maxCost === null ? null : usd(budget.maxCost),
    max_tokens: budget.maxTokens,
    use:
      use === null
        ? null
        : {
            cost_usd: usd(use.cost),
            tokens: Number(use.tokens),
            reserved_cost_usd: usd(use.reservedCost),
            reserved_tokens: Number(use.reservedTokens),
          },
    starts_at: formatInstant(budget.startUs),
    ends_at: formatInstant(budget.endUs),
    updated_at: formatInstant(budget.updatedUs),
  };
}

export function budgetLeftBody({ cost, tokens }: BudgetLeft): Static<typeof BudgetLeftBody> {
  const bodyOf = (remainder: BudgetRemainder | null, amountOf: (left: bigint) => number) =>
    remainder && {
      left: amountOf(remainder.left),
      period: remainder.period,
      ends_at: formatInstant(remainder.endUs),
    };
  return { cost: bodyOf(cost, usd), tokens: bodyOf(tokens, Number) };
}

export function spendingBody(row: SpendingRow, systemKeys: SystemKeys): Static<typeof SpendingBody> {
  const shown = (scope: BudgetScope, id: number | null) => (id === null ? null : ownerId(scope, id, systemKeys));
  return {
    day: formatInstant(row.dayUs).slice(0, 10),
    user_id: shown("user", row.userId),
    api_key_id: shown("api_key", row.apiKeyId),
    project_id: shown("project", row.projectId),
    purpose: row.purpose,
    provider: row.provider,
    model: row.model,
    calls: row.calls,
    failed_calls: row.failedCalls,
    prompt_tokens: row.promptTokens,
    completion_tokens: row.completionTokens,
    cost_usd: usd(row.cost),
    unpriced_calls: row.unpricedCalls,
    estimated_calls: row.estimatedCalls,
    lost_calls: row.lostCalls,
    lost_cost_usd: usd(row.lostCost),
  };
}
