// Reserving from budgets and settling, by two servers on one database.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createPriceList, type PricedModel } from "../../../../src/costs/price-list.ts";
import { Failure } from "../../../../src/kernel/failure.ts";
import { silentLogger } from "../../../../src/kernel/logger.ts";
import { createBudgetTargetsStore } from "../../../../src/modules/evaluation/spending/budget-targets.store.ts";
import { createBudgetsStore } from "../../../../src/modules/evaluation/spending/budgets.store.ts";
import { createLedgerService, type LedgerService } from "../../../../src/modules/evaluation/spending/ledger.service.ts";
import { createLedgerStore } from "../../../../src/modules/evaluation/spending/ledger.store.ts";
import type {
  BudgetLimits,
  BudgetTarget,
  PlannedSpending,
  SpendingRow,
} from "../../../../src/modules/evaluation/spending/spending.schema.ts";
import { forEachDriver } from "../../../support/drivers.ts";
import { modelAttempt, modelCall, modelEndpoint, modelFailure, openAi } from "../../../support/model-calls.ts";
import { member } from "../../../support/principals.ts";
import { openTestStorage, type TestStorage } from "../../../support/storage.ts";

/** 1 USD a million tokens of the prompt, 10 of the answer. */
const priced: PricedModel = {
  id: 1,
  name: "text",
  namePattern: "^text$",
  provider: null,
  startUs: null,
  isBuiltIn: false,
  prices: [
    { tokenType: "input", isPrompt: true, rate: 1_000_000 },
    { tokenType: "output", isPrompt: false, rate: 10_000_000 },
  ],
};
const prices = createPriceList([priced], 1);
/** 11 tokens of the prompt and 7 of the answer. */
const COST = 11_000_000 + 70_000_000;
const NOON_US = Date.UTC(2026, 4, 31, 12) * 1000;
const HOUR_US = 3_600_000_000;
const MINUTE_US = 60_000_000;

const call = modelCall(modelEndpoint("http://127.0.0.1/v1"), { parameters: openAi({ max_tokens: 100 }) });
const planned = (changes: Partial<PlannedSpending> = {}): PlannedSpending => ({
  call,
  spender: { userId: null, apiKeyId: null },
  purpose: "playground",
  projectId: null,
  ...changes,
});

forEachDriver("the ledger", (driver) => {
  let stored: TestStorage;
  let other: TestStorage;
  let nowUs = NOON_US;
  let servers: readonly LedgerService[] = [];

  const serverOf = ({ storage, context }: TestStorage) =>
    createLedgerService({
      budgets: createBudgetsStore(storage.dialect),
      targets: createBudgetTargetsStore(storage.dialect),
      store: createLedgerStore(storage.dialect),
      storage,
      models: { currentPrices: async () => prices },
      ownContext: context,
      clock: { now: () => nowUs },
      log: silentLogger,
    });
  const setBudget = (target: Partial<BudgetTarget>, limits: Partial<BudgetLimits>) =>
    createBudgetsStore(stored.storage.dialect).set(
      stored.context(),
      { scope: "server", targetId: null, period: "day", ...target },
      { maxCost: null, maxTokens: null, ...limits },
      { userId: null, nowUs },
    );
  const use = async () => {
    const applied = { scope: "server", targetId: 0, sinceUs: 0 } as const;
    const [found] = (
      await createBudgetsStore(stored.storage.dialect).listUse(stored.context(), [applied], nowUs)
    ).values();
    return found!;
  };
  const rows = async (): Promise<readonly SpendingRow[]> => {
    const all = { startUs: null, endUs: null };
    return (await createLedgerStore(stored.storage.dialect).list(stored.context(), all, { start: null, limit: 100 }))
      .items;
  };
  /** The outcomes: null for what was reserved, else the code of the refusal. */
  const reserveMany = (count: number, server: (position: number) => LedgerService, plan = planned()) =>
    Promise.all(
      Array.from({ length: count }, (_, position) =>
        server(position)
          .reserve(plan)
          .then(
            () => null,
            (error: unknown) => (error as Failure).code,
          ),
      ),
    );
  const refusalOf = async (plan: PlannedSpending) => {
    const error: unknown = await servers[0]!.reserve(plan).catch((refused: unknown) => refused);
    return error instanceof Failure ? error : null;
  };

  beforeAll(async () => {
    const url = await driver.createDatabase();
    stored = await openTestStorage(url);
    // A file has one server.
    other = driver.name === "sqlite" ? stored : await openTestStorage(url);
  });
  afterAll(async () => {
    if (other !== stored) await other.close();
    await stored.close();
  });
  beforeEach(async () => {
    nowUs = NOON_US;
    servers = [serverOf(stored), serverOf(other)];
    const database = stored.storage.handle.write(stored.context());
    for (const table of ["budgets", "spending", "spending_reservations"] as const)
      await database.deleteFrom(table).execute();
  });

  test("a first budget counts within a second", async () => {
    expect(await reserveMany(1, () => servers[0]!)).toEqual([null]);
    await setBudget({}, { maxTokens: 0 });
    nowUs += 1_000_000;
    expect(await reserveMany(1, () => servers[0]!)).toEqual(["spending.call_too_large"]);
  });

  test("without a budget nothing is reserved, and what was spent is known all the same", async () => {
    const reservation = await servers[0]!.reserve(planned({ spender: { userId: 7, apiKeyId: 8 }, projectId: 9 }));
    expect(reservation.key).toBeNull();
    expect(await servers[0]!.settle(reservation, [modelAttempt()])).toEqual({
      promptTokens: 11,
      completionTokens: 7,
      cost: COST,
      isEstimated: false,
      hasFailed: false,
    });
    expect(await rows()).toMatchObject([
      { userId: 7, apiKeyId: 8, projectId: 9, purpose: "playground", provider: "openai", model: "text", calls: 1 },
    ]);
    expect(await use()).toEqual({ cost: BigInt(COST), tokens: 18n, reservedCost: 0n, reservedTokens: 0n });
  });

  test("two servers at once reserve what is there, and no call more", async () => {
    await setBudget({}, { maxTokens: 10_000 });
    const outcomes = await reserveMany(200, (position) => servers[position % 2]!);
    const { reservedTokens } = await use();
    const each = Number(reservedTokens) / outcomes.filter((code) => code === null).length;
    expect(outcomes.filter((code) => code === null)).toHaveLength(Math.floor(10_000 / each));
    expect(new Set(outcomes)).toEqual(new Set([null, "spending.budget_reserved"]));
  });

  test("money is reserved for the longest answer, and settled at what it cost", async () => {
    await setBudget({}, { maxCost: 5_000_000_000n });
    const reservation = await servers[0]!.reserve(planned());
    const { reservedCost } = await use();
    // 100 tokens of the answer, and a prompt of some.
    expect(reservedCost).toBeGreaterThan(1_000_000_000n);
    expect(reservedCost).toBeLessThan(1_200_000_000n);
    await servers[0]!.settle(reservation, [modelAttempt()]);
    expect(await use()).toEqual({ cost: BigInt(COST), tokens: 18n, reservedCost: 0n, reservedTokens: 0n });
  });

  test("many calls that are reserved and settled by both servers add up exactly", async () => {
    await setBudget({}, { maxCost: 10n ** 15n });
    const count = 120;
    await Promise.all(
      Array.from({ length: count }, async (_, position) => {
        const reservation = await servers[position % 2]!.reserve(
          planned({ spender: { userId: position % 3, apiKeyId: null } }),
        );
        await servers[position % 2]!.settle(reservation, [modelAttempt()]);
      }),
    );
    expect(await use()).toEqual({
      cost: BigInt(count * COST),
      tokens: BigInt(count * 18),
      reservedCost: 0n,
      reservedTokens: 0n,
    });
    expect((await rows()).map(({ calls }) => calls)).toEqual([40, 40, 40]);
  });

  test("what a lost server has reserved is free after a while, and noted; what another one renews stays", async () => {
    await setBudget({}, { maxTokens: 1000 });
    await servers[0]!.reserve(planned());
    const lost = await use();
    await servers[1]!.reserve(planned());
    nowUs += MINUTE_US;
    await servers[1]!.renew(other.context());
    nowUs += MINUTE_US;
    expect((await use()).reservedTokens).toBe(lost.reservedTokens);
    await servers[1]!.renew(other.context());
    expect(await rows()).toMatchObject([{ calls: 0, lostCalls: 1, lostCost: lost.reservedCost, cost: 0n }]);
  });

  test("a server that was only slow still records what its call cost", async () => {
    await setBudget({}, { maxTokens: 1000 });
    const reservation = await servers[0]!.reserve(planned());
    nowUs += HOUR_US;
    await servers[1]!.renew(other.context());
    await servers[0]!.settle(reservation, [modelAttempt()]);
    expect(await use()).toMatchObject({ tokens: 18n, reservedTokens: 0n });
  });

  describe("a refusal", () => {
    test("of a used-up budget says what is left, and when it begins again", async () => {
      await setBudget({}, { maxTokens: 1000 });
      const reservation = await servers[0]!.reserve(planned());
      // Enough for one call, not for another one after the 18 tokens that the first has really taken.
      await setBudget({}, { maxTokens: Number((await use()).reservedTokens) + 10 });
      const reserved = await refusalOf(planned());
      expect(reserved).toMatchObject({ code: "spending.budget_reserved", kind: "rate_limited" });
      expect(reserved?.message).toStartWith("The daily budget of the server is reserved by calls that run now: ");
      expect(reserved?.details.retryAfterSeconds).toBeLessThan(60);
      await servers[0]!.settle(reservation, [modelAttempt()]);
      const refusal = await refusalOf(planned());
      expect(refusal).toMatchObject({ code: "spending.budget_used_up", kind: "rate_limited" });
      expect(refusal?.message).toStartWith("The daily budget of the server is used up: ");
      expect(refusal?.message).toEndWith("It begins again at 2026-06-01T00:00:00+00:00.");
      expect(refusal?.details.retryAfterSeconds).toBe(12 * 3600);
    });

    test("of a model without a price names it, where money is limited", async () => {
      await setBudget({}, { maxCost: 10n ** 12n });
      const unknown = { ...call, model: "nobody-knows" };
      expect((await refusalOf(planned({ call: unknown })))?.message).toStartWith(
        'The model "nobody-knows" has no price, and the daily budget of the server limits money',
      );
      await setBudget({}, { maxCost: null, maxTokens: 10_000 });
      expect(await refusalOf(planned({ call: unknown }))).toBeNull();
    });

    test("of a call that is larger than the budget says so", async () => {
      await setBudget({}, { maxTokens: 50 });
      expect(await refusalOf(planned())).toMatchObject({ code: "spending.call_too_large", kind: "invalid" });
    });

    test("does not touch the calls beside it", async () => {
      await setBudget({}, { maxTokens: 10_000 });
      const huge = planned({ call: { ...call, parameters: openAi({ max_tokens: 20_000 }) } });
      const outcomes = await Promise.allSettled([
        servers[0]!.reserve(planned()),
        servers[0]!.reserve(huge),
        servers[0]!.reserve(planned()),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    });
  });

  test("the next day begins again, the month goes on", async () => {
    nowUs -= 24 * HOUR_US;
    await setBudget({}, { maxTokens: 200 });
    const reservation = await servers[0]!.reserve(planned());
    await servers[0]!.settle(reservation, [modelAttempt({ usage: { ...modelAttempt().usage!, prompt: 150 } })]);
    expect(await refusalOf(planned())).not.toBeNull();
    await setBudget({ period: "month" }, { maxTokens: 250 });
    nowUs += 24 * HOUR_US;
    expect((await refusalOf(planned()))?.message).toContain("monthly");
    nowUs += 24 * HOUR_US;
    // It is June.
    expect(await refusalOf(planned())).toBeNull();
  });

  test("a budget of its own takes the place of that for each; a key and its owner both count", async () => {
    const database = stored.storage.handle.write(stored.context());
    const { id: userId } = await database
      .insertInto("users")
      .values({ ...member, username: `somebody ${nowUs}`, email: `${nowUs}@example.org` })
      .returning("id")
      .executeTakeFirstOrThrow();
    await setBudget({ scope: "user" }, { maxTokens: 0 });
    const own = planned({ spender: { userId, apiKeyId: null } });
    expect((await refusalOf(own))?.message).toContain("of this account");
    await setBudget({ scope: "user", targetId: userId }, { maxTokens: 1000 });
    expect(await refusalOf(own)).toBeNull();
    await setBudget({ scope: "api_key" }, { maxTokens: 0 });
    expect(await refusalOf(own)).toBeNull();
    expect((await refusalOf(planned({ spender: { userId, apiKeyId: 5 } })))?.message).toContain("of this API key");
    // Nobody is named while authentication is off.
    expect(await refusalOf(planned())).toBeNull();
  });

  test("attempts that failed count with what they used; an answer without counts is estimated", async () => {
    const failed = modelAttempt({
      usage: null,
      firstTokenUs: null,
      response: null,
      failure: modelFailure("connection"),
    });
    const cut = modelAttempt({ usage: null, text: "x".repeat(300), failure: modelFailure("cancelled") });
    const reservation = await servers[0]!.reserve(planned());
    expect(await servers[0]!.settle(reservation, [failed, modelAttempt()])).toMatchObject({
      cost: COST,
      isEstimated: false,
    });
    expect(await servers[0]!.settle(reservation, [cut])).toMatchObject({
      completionTokens: 100,
      isEstimated: true,
      hasFailed: true,
    });
    expect(await servers[0]!.settle(reservation, [])).toMatchObject({ cost: 0 });
    expect(await rows()).toMatchObject([{ calls: 2, failedCalls: 1, estimatedCalls: 1 }]);
  });
});
