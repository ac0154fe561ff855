// Why a call may not be made, and what can be wrong with budgets.
import { UNITS_PER_USD } from "../../../costs/price-list.ts";
import { fail } from "../../../kernel/failure.ts";
import { formatInstant } from "../../../kernel/time.ts";
import type { AppliedBudget, BudgetProblem } from "./applied-budgets.rules.ts";
import { periodEnd } from "./budget-period.rules.ts";
import { BUDGET_RESERVED, BUDGET_USED_UP, type BudgetScope, MAX_BUDGETS, type WorstCase } from "./spending.schema.ts";

const owners: Readonly<Record<BudgetScope, string>> = {
  server: "of the server",
  user: "of this account",
  api_key: "of this API key",
  project: "of this project",
};

/** After so long it is worth to ask for a reserved budget again: most calls have ended by then. */
const RESERVED_SECONDS = 10;

/** The refusal of a call that does not fit into a budget. */
export function budgetRefusal(problem: BudgetProblem, model: string, worst: WorstCase, nowUs: number) {
  const { budget } = problem.applied;
  const name = nameOf(problem.applied);
  if (problem.type === "no_price") {
    return fail(
      "spending.no_price",
      "invalid",
      `The model ${JSON.stringify(model)} has no price, and the ${name} limits money: enter what its tokens cost among the models`,
    );
  }
  const isMoney = problem.limit === "cost";
  const most = isMoney ? usd(worst.cost ?? 0) : `${worst.promptTokens + worst.completionTokens} tokens`;
  const limit = isMoney ? usd(budget.maxCost ?? 0n) : `${budget.maxTokens} tokens`;
  if (problem.type === "too_large") {
    return fail(
      "spending.call_too_large",
      "invalid",
      `The call may take up to ${most}, more than the whole ${name} of ${limit}: lower its maximum of output tokens`,
    );
  }
  const { use } = problem;
  const taken = isMoney ? usd(use.cost + use.reservedCost) : String(use.tokens + use.reservedTokens);
  const state = `${taken} of ${limit} are spent or reserved, and this call may take up to ${most}`;
  if (problem.type === "reserved") {
    return fail(
      BUDGET_RESERVED,
      "rate_limited",
      `The ${name} is reserved by calls that run now: ${state}. What they do not use is free when they end.`,
      { retryAfterSeconds: RESERVED_SECONDS },
    );
  }
  const endUs = periodEnd(budget.period, nowUs);
  return fail(
    BUDGET_USED_UP,
    "rate_limited",
    `The ${name} is used up: ${state}. It begins again at ${formatInstant(endUs)}.`,
    { retryAfterSeconds: Math.ceil((endUs - nowUs) / 1e6) },
  );
}

function nameOf({ budget, scope }: AppliedBudget): string {
  return `${budget.period === "day" ? "daily" : "monthly"} budget ${owners[scope]}`;
}

/** With as many digits as small amounts need. */
function usd(units: number | bigint): string {
  const amount = Number(units) / UNITS_PER_USD;
  return `${Number(amount.toPrecision(amount < 1 ? 3 : 6))} USD`;
}

export const budgetNotFound = (id: string) => fail("budgets.not_found", "not_found", `No budget has the id ${id}`);

export const notABudgetId = (id: string) => fail("budgets.not_an_id", "invalid", `${id} is not the id of a budget`);

export const budgetRefused = (problem: string) => fail("budgets.refused", "invalid", problem);

export const budgetTargetNotFound = (what: string, id: string) =>
  fail("budgets.target_not_found", "not_found", `No ${what} has the id ${id}`);

export const tooManyBudgets = () =>
  fail("budgets.too_many", "invalid", `There are ${MAX_BUDGETS} budgets already: delete some first`);
