// Budgets and spending over REST.
import { type Route, type RouteModule, route } from "../../../api/route.ts";
import { findRowId, globalId } from "../../../kernel/ids.ts";
import { arrivalCursors, pageBody } from "../../../kernel/list.ts";
import type { CallContext } from "../../../storage/storage.ts";
import { userGlobalId } from "../../accounts/users/users.schema.ts";
import { PROJECT } from "../../tracing/projects/projects.schema.ts";
import {
  BudgetAnswer,
  BudgetLeftAnswer,
  BudgetsAnswer,
  budgetBody,
  budgetLeftBody,
  NewBudget,
  SpendingPage,
  SpendingQuery,
  spendingBody,
  unitsOfUsd,
} from "./budget-bodies.schema.ts";
import { budgetTargetId } from "./budget-target.rules.ts";
import type { BudgetsService } from "./budgets.service.ts";
import { notABudgetId } from "./spending.errors.ts";
import { BUDGET, type ShownBudget, SPENDING } from "./spending.schema.ts";

const id = globalId(BUDGET, 1);
const example = {
  id,
  scope: "user",
  user_id: userGlobalId(3),
  api_key_id: null,
  project_id: null,
  period: "day",
  max_cost_usd: 5,
  max_tokens: null,
  use: { cost_usd: 1.25, tokens: 84_000, reserved_cost_usd: 0.02, reserved_tokens: 900 },
  starts_at: "2026-05-31T00:00:00+00:00",
  ends_at: "2026-06-01T00:00:00+00:00",
  updated_at: "2026-05-30T09:00:00+00:00",
};

const spentExample = {
  day: "2026-05-31",
  user_id: userGlobalId(3),
  api_key_id: null,
  project_id: globalId(PROJECT, 1),
  purpose: "playground",
  provider: "openai",
  model: "gpt-4o-mini",
  calls: 42,
  failed_calls: 1,
  prompt_tokens: 70_000,
  completion_tokens: 14_000,
  cost_usd: 1.25,
  unpriced_calls: 0,
  estimated_calls: 0,
  lost_calls: 0,
  lost_cost_usd: 0,
};

export function spendingRoutes(budgets: BudgetsService): RouteModule {
  return { name: "spending", routes: [...budgetRoutes(budgets), spendingRoute(budgets)] };
}

function budgetRoutes(budgets: BudgetsService): Route[] {
  const bodiesOf = async (context: CallContext, shown: readonly ShownBudget[]) => {
    const keys = shown.flatMap(({ scope, targetId }) => (scope === "api_key" && targetId !== null ? [targetId] : []));
    const systemKeys = await budgets.findSystemKeys(context, keys);
    return shown.map((budget) => budgetBody(budget, systemKeys));
  };
  return [
    route({
      method: "GET",
      path: "/v1/budgets",
      operationId: "listBudgets",
      summary: "List budgets of calls of models",
      description: "Administrators see all; everybody else those that apply to them, with what they have used.",
      action: "budgets.read",
      status: 200,
      response: BudgetsAnswer,
      example: { response: { data: [example] } },
      handler: async ({ context }) => ({ data: await bodiesOf(context, await budgets.listBudgets(context)) }),
    }),
    route({
      method: "GET",
      path: "/v1/budgets/left",
      operationId: "getBudgetLeft",
      summary: "Get what is left of the caller's budgets",
      description: `What calls of the caller may still take, by the budgets of the server, the account and the API key: what is spent and what running calls
have reserved is taken off. Budgets of projects are not part of it.`,
      action: "budgets.read",
      status: 200,
      response: BudgetLeftAnswer,
      example: {
        response: {
          data: { cost: { left: 3.73, period: "day", ends_at: "2026-06-01T00:00:00+00:00" }, tokens: null },
        },
      },
      handler: async ({ context }) => ({ data: budgetLeftBody(await budgets.findLeft(context)) }),
    }),
    route({
      method: "PUT",
      path: "/v1/budgets",
      operationId: "setBudget",
      summary: "Set a budget",
      description: `In the place of the one for the same target and period. Before each call of a model, the most that it may cost is reserved in every
budget that applies; what it did cost takes the place of that. Without the id of its scope the budget is that of each account, key or project that has none
of its own.`,
      action: "budgets.change",
      status: 200,
      links: { deleteBudget: { budget_id: "$response.body#/data/id" } },
      body: NewBudget,
      response: BudgetAnswer,
      errors: {
        invalid: "It limits nothing, or names something beside its scope.",
        not_found: "There is no such account, key or project.",
      },
      example: {
        body: { scope: "server", period: "month", max_cost_usd: 200 },
        response: { data: { ...example, scope: "server", user_id: null, period: "month", max_cost_usd: 200 } },
      },
      handler: async ({ context, body }) => {
        const { max_cost_usd: cost, max_tokens: tokens } = body;
        const limits = { maxCost: cost == null ? null : unitsOfUsd(cost), maxTokens: tokens ?? null };
        const { scope, period } = body;
        const targetId = budgetTargetId(scope, {
          user: { member: "user_id", id: body.user_id },
          api_key: { member: "api_key_id", id: body.api_key_id },
          project: { member: "project_id", id: body.project_id },
        });
        const budget = await budgets.setBudget(context, { scope, period, targetId }, limits);
        const [data] = await bodiesOf(context, [budget]);
        return { data: data! };
      },
    }),
    route({
      method: "DELETE",
      path: "/v1/budgets/{budget_id}",
      operationId: "deleteBudget",
      summary: "Delete a budget",
      action: "budgets.change",
      status: 204,
      errors: { invalid: "This is not the id of a budget.", not_found: "No budget has this id." },
      example: { parameters: { budget_id: globalId(BUDGET, 2) } },
      handler: ({ context, params }) => budgets.deleteBudget(context, requireBudgetId(params.budget_id)),
    }),
  ];
}

function spendingRoute(budgets: BudgetsService): Route {
  const cursors = arrivalCursors(SPENDING);
  return route({
    method: "GET",
    path: "/v1/spending",
    operationId: "listSpending",
    summary: "List who spent what",
    description:
      "The calls of a day, together for each account, key, project, purpose and model; what was begun last first.",
    action: "spending.list",
    status: 200,
    query: SpendingQuery,
    response: SpendingPage,
    errors: { invalid: "The cursor is not one of this list." },
    example: { response: { data: [spentExample], next_cursor: null } },
    handler: async ({ context, query: { start_time: startUs = null, end_time: endUs = null, ...page } }) => {
      const found = await budgets.listSpending(context, { startUs, endUs }, { limit: page.limit, cursor: page.cursor });
      const keys = found.items.flatMap(({ apiKeyId }) => (apiKeyId === null ? [] : [apiKeyId]));
      const systemKeys = await budgets.findSystemKeys(context, keys);
      return pageBody(found, cursors, (row) => spendingBody(row, systemKeys));
    },
  });
}

/** Throws kind `invalid` for any other text. */
function requireBudgetId(text: string): number {
  const rowId = findRowId(BUDGET, text);
  if (rowId === null) throw notABudgetId(text);
  return rowId;
}
