// What calls of models may cost and did cost: budgets, and who spent what.
import { authorIdOf, type Principal } from "../../../access/principal.ts";
import type { TypeWord } from "../../../kernel/ids.ts";
import type { ModelCall } from "../../../providers/model-call.ts";
import type { ModelAttempt } from "../../../providers/model-event.ts";

/** Whose calls count together: of the whole server, of an account, an API key, or a project. */
export const budgetScopes = ["server", "user", "api_key", "project"] as const;
export type BudgetScope = (typeof budgetScopes)[number];
/** Of UTC. */
export const budgetPeriods = ["day", "month"] as const;
export type BudgetPeriod = (typeof budgetPeriods)[number];
/** What calls are made for. */
export const callPurposes = ["playground", "experiment", "evaluation", "proxy"] as const;
export type CallPurpose = (typeof callPurposes)[number];

/** Whom a budget is for. Null is everybody of the scope without a budget of their own; of the server it is always null. */
export interface BudgetTarget {
  readonly scope: BudgetScope;
  /** Row id of the account, key or project. */
  readonly targetId: number | null;
  readonly period: BudgetPeriod;
}

export interface BudgetLimits {
  /** 10^-12 USD; null for no limit. */
  readonly maxCost: bigint | null;
  /** Of prompts and answers together; null for no limit. */
  readonly maxTokens: number | null;
}

export interface Budget extends BudgetTarget, BudgetLimits {
  readonly id: number;
  readonly updatedUs: number;
}

/** What is used of a budget in its period. Amounts are 10^-12 USD. */
export interface BudgetUse {
  readonly cost: bigint;
  readonly tokens: bigint;
  /** Of calls that run now: the most that they may take. */
  readonly reservedCost: bigint;
  readonly reservedTokens: bigint;
}

/** Who pays: the account, and the API key if the request came with one. Null while authentication is off. */
export interface Spender {
  readonly userId: number | null;
  readonly apiKeyId: number | null;
}

export function spenderOf(principal: Principal): Spender {
  const apiKeyId = principal.kind === "user" || principal.kind === "system" ? (principal.apiKeyId ?? null) : null;
  return { userId: authorIdOf(principal), apiKeyId };
}

/** A call that is about to be made. */
export interface PlannedSpending {
  readonly call: ModelCall;
  readonly spender: Spender;
  readonly purpose: CallPurpose;
  /** Row id of the project in which its span is stored; null for none. */
  readonly projectId: number | null;
}

/** Given by `reserve`, for `settle`. */
export interface SpendingReservation extends PlannedSpending {
  /** Null where no budget applies. */
  readonly key: string | null;
  /** The day that it counts to. */
  readonly dayUs: number;
}

/** What a call used, all its attempts together. */
export interface SpentCall {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** 10^-12 USD; null where the model has no price. */
  readonly cost: number | null;
  /** The provider reported no counts, although it answered. */
  readonly isEstimated: boolean;
  readonly hasFailed: boolean;
}

/** The most that a call may use, as far as it can be known before. */
export interface WorstCase {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** 10^-12 USD; null where the model has no price. */
  readonly cost: number | null;
}

/** The calls of a day with everything in common. */
export interface SpendingRow {
  readonly id: number;
  readonly dayUs: number;
  /** Row ids; null for none. What they name may be deleted. */
  readonly userId: number | null;
  readonly apiKeyId: number | null;
  readonly projectId: number | null;
  readonly purpose: CallPurpose;
  readonly provider: string;
  readonly model: string;
  readonly calls: number;
  readonly failedCalls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** 10^-12 USD. */
  readonly cost: bigint;
  readonly unpricedCalls: number;
  readonly estimatedCalls: number;
  readonly lostCalls: number;
  readonly lostCost: bigint;
}

/** A budget with what is used of it in the period that runs. */
export interface ShownBudget extends Budget {
  /** Null for the budget of each account, key or project: it is not that of one. */
  readonly use: BudgetUse | null;
  /** Microseconds UTC. */
  readonly startUs: number;
  /** Excluded. */
  readonly endUs: number;
}

/** What the budget that leaves the least of something leaves of it: 10^-12 USD, or tokens. */
export interface BudgetRemainder {
  readonly left: bigint;
  readonly period: BudgetPeriod;
  /** Microseconds UTC, excluded: then the budget begins again. */
  readonly endUs: number;
}

/** What calls may still take; null for what no budget limits. */
export interface BudgetLeft {
  readonly cost: BudgetRemainder | null;
  readonly tokens: BudgetRemainder | null;
}

export interface SpendingService {
  /** Reserves the most that the call may cost in every budget that applies; at once where none does. Throws kind `rate_limited` while a
   *  budget is used up, `invalid` for a call that is larger than a budget or has no price where money is limited, `unavailable`. Each
   *  reservation must be settled; one whose server is lost is void after a while. */
  reserve(planned: PlannedSpending): Promise<SpendingReservation>;
  /** Records what the attempts used, priced as their spans are, and frees the reservation. Resolves when that is durable; where it fails
   *  with kind `unavailable`, it is tried again in the background. */
  settle(reservation: SpendingReservation, attempts: readonly ModelAttempt[]): Promise<SpentCall>;
}

/** Codes of the two refusals of kind `rate_limited`: a call that does not fit before the budget is raised or begins again, and one that
 *  fits when running calls have ended. */
export const BUDGET_USED_UP = "spending.budget_used_up";
export const BUDGET_RESERVED = "spending.budget_reserved";

export const BUDGET: TypeWord<Budget> = "Budget";
export const SPENDING: TypeWord<SpendingRow> = "Spending";
export const MAX_BUDGETS = 1000;
