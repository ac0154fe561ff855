// What calls may still take before a budget refuses them.
import type { BudgetLeft, BudgetRemainder, BudgetUse, ShownBudget } from "./spending.schema.ts";

/** The least of what the budgets leave: a call has to fit into all of them. */
export function leastLeft(budgets: readonly ShownBudget[]): BudgetLeft {
  return {
    cost: leastOf(budgets, ({ maxCost }, use) => (maxCost === null ? null : maxCost - use.cost - use.reservedCost)),
    tokens: leastOf(budgets, ({ maxTokens }, use) =>
      maxTokens === null ? null : BigInt(maxTokens) - use.tokens - use.reservedTokens,
    ),
  };
}

function leastOf(
  budgets: readonly ShownBudget[],
  leftOf: (budget: ShownBudget, use: BudgetUse) => bigint | null,
): BudgetRemainder | null {
  const remainders = budgets.flatMap((budget): BudgetRemainder[] => {
    const left = budget.use === null ? null : leftOf(budget, budget.use);
    // A budget that was lowered may be exceeded already.
    return left === null ? [] : [{ left: left < 0n ? 0n : left, period: budget.period, endUs: budget.endUs }];
  });
  return remainders.sort((one, other) => Number(one.left - other.left))[0] ?? null;
}
