// The use cases of budgets, and of who spent what. Who may call them is decided by the policy before; who sees which, here.
import { isAdministrator } from "../../../access/policy.ts";
import { authorIdOf } from "../../../access/principal.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { globalId } from "../../../kernel/ids.ts";
import { arrivalCursors, type Page, type PageRequest, type RestRequest, requestedPage } from "../../../kernel/list.ts";
import type { Logger } from "../../../kernel/logger.ts";
import type { CallContext, Storage } from "../../../storage/storage.ts";
import { appliedBudgets, usageKeyOf } from "./applied-budgets.rules.ts";
import { leastLeft } from "./budget-left.rules.ts";
import { periodEnd, periodStart } from "./budget-period.rules.ts";
import type { BudgetTargetsStore } from "./budget-targets.store.ts";
import type { BudgetsStore } from "./budgets.store.ts";
import type { LedgerStore, SpendingRange } from "./ledger.store.ts";
import { budgetNotFound, budgetRefused, budgetTargetNotFound, tooManyBudgets } from "./spending.errors.ts";
import {
  BUDGET,
  type Budget,
  type BudgetLeft,
  type BudgetLimits,
  type BudgetTarget,
  MAX_BUDGETS,
  type ShownBudget,
  SPENDING,
  type SpendingRow,
  spenderOf,
} from "./spending.schema.ts";

interface BudgetsDependencies {
  readonly store: BudgetsStore;
  readonly targets: BudgetTargetsStore;
  readonly ledger: Pick<LedgerStore, "list">;
  readonly storage: Pick<Storage, "transaction">;
  /** Called when the budgets have changed. */
  readonly onChange: () => void;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface BudgetsService {
  /** In the order in which they were made. Administrators see all; others those that apply to themselves, with what they have used. */
  listBudgets(context: CallContext): Promise<ShownBudget[]>;
  /** What calls of the caller may still take, by the budgets of the server, the account and the API key. Those of projects are not part of
   *  it: they depend on where the spans of a call are stored. */
  findLeft(context: CallContext): Promise<BudgetLeft>;
  /** In the place of the one for the same target and period. Throws kind `invalid` for limits that limit nothing or do not fit the scope,
   *  `not_found` for the target. */
  setBudget(context: CallContext, target: BudgetTarget, limits: BudgetLimits): Promise<ShownBudget>;
  /** Throws kind `not_found`. */
  deleteBudget(context: CallContext, id: number): Promise<void>;
  /** Rows of whole days, those that were begun last first. Throws kind `invalid` for a malformed cursor. */
  listSpending(context: CallContext, range: SpendingRange, page: RestRequest): Promise<Page<SpendingRow>>;
  /** The same for a place in the list. */
  listSpendingFrom(context: CallContext, range: SpendingRange, request: PageRequest): ReturnType<LedgerStore["list"]>;
  /** Those of the API keys that are system keys, for their global ids. */
  findSystemKeys: BudgetTargetsStore["findSystemKeys"];
}

/** 9 million USD: sums stay within 64 bits. */
const MAX_COST = 9n * 10n ** 18n;

export function createBudgetsService(dependencies: BudgetsDependencies): BudgetsService {
  const { store, targets, ledger, storage, onChange, clock, log } = dependencies;

  /** `targetIds`: whose use is shown, by budget. */
  async function shown(
    context: CallContext,
    budgets: readonly Budget[],
    targetIds: ReadonlyMap<Budget, number>,
  ): Promise<ShownBudget[]> {
    const nowUs = clock.now();
    const applied = budgets.flatMap((budget) => {
      const targetId = targetIds.get(budget);
      if (targetId === undefined) return [];
      return [{ budget, scope: budget.scope, targetId, sinceUs: periodStart(budget.period, nowUs) }];
    });
    const uses = await store.listUse(context, applied, nowUs);
    const byBudget = new Map(applied.map((each) => [each.budget, uses.get(usageKeyOf(each))!]));
    return budgets.map((budget) => ({
      ...budget,
      use: byBudget.get(budget) ?? null,
      startUs: periodStart(budget.period, nowUs),
      endUs: periodEnd(budget.period, nowUs),
    }));
  }

  /** Those that apply to the caller, with what is used of them. */
  async function ownBudgets(context: CallContext, budgets: readonly Budget[]): Promise<ShownBudget[]> {
    const payer = { spender: spenderOf(context.principal), projectId: null };
    const systemUserId = await targets.findSystemUserId(context);
    const applied = appliedBudgets(budgets, payer, { systemUserId, nowUs: clock.now() });
    const own = new Map(applied.map(({ budget, targetId }) => [budget, targetId]));
    return shown(context, [...own.keys()], own);
  }

  function note(context: CallContext, what: string, facts: Readonly<Record<string, string | number | null>>): void {
    log.info(what, { ...facts, by_user_id: authorIdOf(context.principal), request_id: context.requestId });
  }

  return {
    async listBudgets(context) {
      const budgets = await store.list(context);
      if (isAdministrator(context.principal)) {
        const own = (budget: Budget) => (budget.scope === "server" ? 0 : budget.targetId);
        const shownTargets = budgets.flatMap((budget) =>
          own(budget) === null ? [] : [[budget, own(budget)!] as const],
        );
        return shown(context, budgets, new Map(shownTargets));
      }
      return ownBudgets(context, budgets);
    },

    async findLeft(context) {
      const budgets = await store.list(context);
      return leastLeft(budgets.length === 0 ? [] : await ownBudgets(context, budgets));
    },

    async setBudget(context, target, limits) {
      requireLimits(target, limits);
      const { scope, targetId, period } = target;
      const author = { userId: authorIdOf(context.principal), nowUs: clock.now() };
      const budget = await storage.transaction(context, async (inner) => {
        if (scope !== "server" && targetId !== null && !(await targets.hasTarget(inner, scope, targetId))) {
          throw budgetTargetNotFound(words[scope], String(targetId));
        }
        const id = await store.set(inner, target, limits, author);
        const all = await store.list(inner);
        if (all.length > MAX_BUDGETS) throw tooManyBudgets();
        return all.find((each) => each.id === id)!;
      });
      onChange();
      note(context, "budget set", { scope, target_id: targetId, period });
      const shownTarget = scope === "server" ? 0 : targetId;
      const [answer] = await shown(context, [budget], new Map(shownTarget === null ? [] : [[budget, shownTarget]]));
      return answer!;
    },

    async deleteBudget(context, id) {
      if (!(await store.remove(context, id))) throw budgetNotFound(globalId(BUDGET, id));
      onChange();
      note(context, "budget deleted", { budget_id: id });
    },

    listSpending: (context, range, page) => ledger.list(context, range, requestedPage(arrivalCursors(SPENDING), page)),

    listSpendingFrom: (context, range, request) => ledger.list(context, range, request),

    findSystemKeys: targets.findSystemKeys,
  };
}

const words = { user: "user", api_key: "API key", project: "project" } as const;

function requireLimits({ scope, targetId }: BudgetTarget, { maxCost, maxTokens }: BudgetLimits): void {
  if (scope === "server" && targetId !== null) throw budgetRefused("A budget of the server names no one");
  if (maxCost === null && maxTokens === null) throw budgetRefused("A budget limits money, tokens, or both");
  if (maxCost !== null && (maxCost < 0n || maxCost > MAX_COST)) {
    throw budgetRefused("The limit of money must be from 0 to 9 million USD");
  }
  if (maxTokens !== null && !(Number.isSafeInteger(maxTokens) && maxTokens >= 0)) {
    throw budgetRefused("The limit of tokens must be a whole number from 0 on");
  }
}
