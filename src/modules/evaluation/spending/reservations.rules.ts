// Which of several calls fit into their budgets, decided one after the other.
import { randomUUID } from "node:crypto";
import type { PriceList } from "../../../costs/price-list.ts";
import { Failure } from "../../../kernel/failure.ts";
import { type AppliedBudget, appliedBudgets, budgetProblem, usageKeyOf } from "./applied-budgets.rules.ts";
import { worstCaseOf } from "./call-cost.rules.ts";
import { budgetRefusal } from "./spending.errors.ts";
import type { Budget, BudgetUse, PlannedSpending, WorstCase } from "./spending.schema.ts";

/** A call with the budgets that apply to it: at least one. */
export interface BudgetedCall {
  readonly key: string;
  readonly planned: PlannedSpending;
  readonly worst: WorstCase;
  readonly applied: readonly AppliedBudget[];
  readonly nowUs: number;
}

interface PlanNeeds {
  readonly budgets: readonly Budget[];
  readonly prices: PriceList;
  readonly systemUserId: number | null;
  readonly nowUs: number;
}

/** Null where no budget applies, a failure for a call that cannot be put into the wire. */
export function budgetedCall(
  planned: PlannedSpending,
  { budgets, prices, systemUserId, nowUs }: PlanNeeds,
): BudgetedCall | Failure | null {
  const applied = appliedBudgets(budgets, planned, { systemUserId, nowUs });
  if (applied.length === 0) return null;
  try {
    const worst = worstCaseOf(planned.call, prices, nowUs);
    return { key: randomUUID(), planned, worst, applied, nowUs };
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** Why calls do not fit; those that fit count as reserved for the calls behind them. `uses` is by `usageKeyOf`. */
export function refusedCalls(
  calls: readonly BudgetedCall[],
  uses: ReadonlyMap<string, BudgetUse>,
): ReadonlyMap<BudgetedCall, Failure> {
  const left = new Map(uses);
  const refusals = new Map<BudgetedCall, Failure>();
  for (const call of calls) {
    const { applied, worst, planned, nowUs } = call;
    const problem = budgetProblem(applied, worst, (each) => left.get(usageKeyOf(each))!);
    if (problem !== null) {
      refusals.set(call, budgetRefusal(problem, planned.call.model, worst, nowUs));
      continue;
    }
    for (const key of new Set(applied.map(usageKeyOf))) {
      const use = left.get(key)!;
      left.set(key, {
        ...use,
        reservedCost: use.reservedCost + BigInt(worst.cost ?? 0),
        reservedTokens: use.reservedTokens + BigInt(worst.promptTokens + worst.completionTokens),
      });
    }
  }
  return refusals;
}
