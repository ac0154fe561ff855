// Calls of models for one job: within its limits and the budgets of who pays, slowed down with all other calls of the same key.
import type { PriceList } from "../../../../costs/price-list.ts";
import type { Clock } from "../../../../kernel/clock.ts";
import { Failure } from "../../../../kernel/failure.ts";
import type { ModelCall } from "../../../../providers/model-call.ts";
import type { ModelAttempt } from "../../../../providers/model-event.ts";
import { noRetries } from "../../../../providers/retries.ts";
import type { CallRecord, RecordedCalls, RecordedEvent } from "../../model-calls/model-calls.schema.ts";
import { worstCaseOf } from "../../spending/call-cost.rules.ts";
import { BUDGET_RESERVED, type Spender } from "../../spending/spending.schema.ts";
import { limitReached } from "../experiment-jobs.errors.ts";
import { addedSpending, type JobLimits, type JobSpending, noSpending } from "../experiment-jobs.schema.ts";
import type { JobCall } from "./job-calls.schema.ts";

/** A call that is not made for now: it does not fit into a limit of the job or into a budget, or too many run already. */
export class CallBlocked extends Error {
  constructor(
    readonly by: "cost_limit" | "token_limit" | "budget" | "server",
    /** It does not fit before the limit is raised or the budget begins again. */
    readonly isFinal: boolean,
    readonly failure: Failure,
  ) {
    super(failure.message);
  }
}

interface JobCallsNeeds {
  readonly calls: RecordedCalls;
  readonly prices: () => PriceList;
  readonly clock: Clock;
  readonly limits: JobLimits;
  /** Of the calls that are stored. */
  readonly spentBefore: JobSpending;
  readonly spender: Spender;
  readonly signal: AbortSignal;
}

interface Worst {
  readonly cost: number;
  readonly tokens: number;
}

export class JobCalls {
  readonly #needs: JobCallsNeeds;
  #spent: JobSpending;
  /** The most that running calls may take. */
  #reserved: Worst = { cost: 0, tokens: 0 };

  constructor(needs: JobCallsNeeds) {
    this.#needs = needs;
    this.#spent = needs.spentBefore;
  }

  /** Makes one attempt. Throws `CallBlocked`, and kind `invalid` for a call that cannot be sent. */
  async *attempt({ callLimits, ...given }: JobCall): AsyncGenerator<RecordedEvent, void, undefined> {
    const { calls, spender, signal } = this.#needs;
    const worst = this.#reserve(given.call);
    try {
      const request = { ...given, limits: callLimits, retries: noRetries, heedsRateLimits: true, spender, signal };
      for await (const event of calls.run(request)) {
        if ("attempt" in event && event.type !== "retry") this.#spent = addedSpending(this.#spent, spendingOf(event));
        yield event;
      }
    } catch (error) {
      throw error instanceof Failure ? (blockedBy(error) ?? error) : error;
    } finally {
      this.#reserved = { cost: this.#reserved.cost - worst.cost, tokens: this.#reserved.tokens - worst.tokens };
    }
  }

  #reserve(call: ModelCall): Worst {
    const { limits, prices, clock } = this.#needs;
    const { maxCost, maxTokens } = limits;
    if (maxCost === null && maxTokens === null) return { cost: 0, tokens: 0 };
    const most = worstCaseOf(call, prices(), clock.now());
    const worst = { cost: most.cost ?? 0, tokens: most.promptTokens + most.completionTokens };
    const spentTokens = this.#spent.promptTokens + this.#spent.completionTokens;
    if (maxCost !== null && this.#spent.cost + this.#reserved.cost + worst.cost > maxCost) {
      throw new CallBlocked("cost_limit", false, limitReached("cost", this.#spent.cost, worst.cost, maxCost));
    }
    if (maxTokens !== null && spentTokens + this.#reserved.tokens + worst.tokens > maxTokens) {
      throw new CallBlocked("token_limit", false, limitReached("tokens", spentTokens, worst.tokens, maxTokens));
    }
    this.#reserved = { cost: this.#reserved.cost + worst.cost, tokens: this.#reserved.tokens + worst.tokens };
    return worst;
  }
}

/** What a call took; without an attempt it took nothing. */
export function spendingOf({
  attempt,
  spent,
}: Pick<CallRecord, "spent"> & { readonly attempt: ModelAttempt | null }): JobSpending {
  if (attempt === null) return noSpending;
  return {
    calls: 1,
    promptTokens: spent?.promptTokens ?? attempt.usage?.prompt ?? 0,
    completionTokens: spent?.completionTokens ?? attempt.usage?.completion ?? 0,
    cost: spent?.cost ?? 0,
    unpricedCalls: spent?.cost == null ? 1 : 0,
  };
}

function blockedBy(failure: Failure): CallBlocked | null {
  if (failure.kind === "unavailable") return new CallBlocked("server", false, failure);
  if (!failure.code.startsWith("spending.")) return null;
  return new CallBlocked("budget", failure.code !== BUDGET_RESERVED, failure);
}
