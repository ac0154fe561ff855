// Which budgets a call counts to, and whether it fits into them.
import { periodStart } from "./budget-period.rules.ts";
import type { Budget, BudgetScope, BudgetUse, Spender, WorstCase } from "./spending.schema.ts";

/** A budget with the one whose calls count to it; its calls are those of the scope and target since the period began. */
export interface AppliedBudget {
  readonly budget: Budget;
  readonly scope: BudgetScope;
  /** 0 for the server. */
  readonly targetId: number;
  readonly sinceUs: number;
}

interface Payer {
  readonly spender: Spender;
  readonly projectId: number | null;
}

/** Ascending by the ids of the budgets. `systemUserId` is the account of system keys: what holds for each person does not hold for it. */
export function appliedBudgets(
  budgets: readonly Budget[],
  { spender, projectId }: Payer,
  { systemUserId, nowUs }: { readonly systemUserId: number | null; readonly nowUs: number },
): AppliedBudget[] {
  const targets: Readonly<Record<BudgetScope, number | null>> = {
    server: 0,
    user: spender.userId,
    api_key: spender.apiKeyId,
    project: projectId,
  };
  const applied = budgets.flatMap((budget): AppliedBudget[] => {
    const { scope, targetId, period } = budget;
    const target = targets[scope];
    if (target === null || (targetId !== null && targetId !== target)) return [];
    if (targetId === null && scope !== "server") {
      if (scope === "user" && target === systemUserId) return [];
      const isReplaced = budgets.some(
        (other) => other.scope === scope && other.period === period && other.targetId === target,
      );
      if (isReplaced) return [];
    }
    return [{ budget, scope, targetId: target, sinceUs: periodStart(period, nowUs) }];
  });
  return applied.sort((one, other) => one.budget.id - other.budget.id);
}

/** Names the calls that count together. */
export function usageKeyOf({ scope, targetId, sinceUs }: Omit<AppliedBudget, "budget">): string {
  return `${scope} ${targetId} ${sinceUs}`;
}

export type BudgetProblem =
  /** The model has no price, and the budget limits money. */
  | { readonly type: "no_price"; readonly applied: AppliedBudget }
  /** The call is larger than the whole budget. */
  | { readonly type: "too_large"; readonly applied: AppliedBudget; readonly limit: "cost" | "tokens" }
  /** `reserved`: it would fit, were it not for what running calls have reserved. */
  | {
      readonly type: "used_up" | "reserved";
      readonly applied: AppliedBudget;
      readonly limit: "cost" | "tokens";
      readonly use: BudgetUse;
    };

/** Why the call does not fit; null where it does. */
export function budgetProblem(
  applied: readonly AppliedBudget[],
  worst: WorstCase,
  usageOf: (applied: AppliedBudget) => BudgetUse,
): BudgetProblem | null {
  const tokens = BigInt(worst.promptTokens + worst.completionTokens);
  for (const each of applied) {
    const { maxCost, maxTokens } = each.budget;
    const use = usageOf(each);
    if (maxCost !== null) {
      if (worst.cost === null) return { type: "no_price", applied: each };
      if (BigInt(worst.cost) > maxCost) return { type: "too_large", applied: each, limit: "cost" };
      const most = use.cost + BigInt(worst.cost);
      if (most + use.reservedCost > maxCost) {
        return { type: most > maxCost ? "used_up" : "reserved", applied: each, limit: "cost", use };
      }
    }
    if (maxTokens !== null) {
      if (tokens > BigInt(maxTokens)) return { type: "too_large", applied: each, limit: "tokens" };
      const most = use.tokens + tokens;
      if (most + use.reservedTokens > BigInt(maxTokens)) {
        return { type: most > BigInt(maxTokens) ? "used_up" : "reserved", applied: each, limit: "tokens", use };
      }
    }
  }
  return null;
}
