// Costs recomputed, on both databases: by other prices, of a part of the calls only, with every sum that holds them, and what was cut off.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { sql } from "kysely";
import { createPriceList } from "../../src/costs/price-list.ts";
import { createCurrentPrices } from "../../src/ingest/current-prices.ts";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { type Clock, systemClock } from "../../src/kernel/clock.ts";
import { modelsFeature } from "../../src/modules/tracing/models/models.feature.ts";
import type { RecomputationScope } from "../../src/modules/tracing/models/models.schema.ts";
import { createCostChangesStore } from "../../src/modules/tracing/models/recomputation/cost-changes.store.ts";
import { createRecomputationService } from "../../src/modules/tracing/models/recomputation/recomputation.service.ts";
import { createRecomputationStore } from "../../src/modules/tracing/models/recomputation/recomputation.store.ts";
import { createRecomputationRowsStore } from "../../src/modules/tracing/models/recomputation/recomputation-rows.store.ts";
import { recomputedCost } from "../../src/modules/tracing/models/recomputation/recomputed-costs.rules.ts";
import { verifyStorage } from "../../src/modules/tracing/traces/verify/verify.service.ts";
import { ownedTables } from "../../src/server/features.ts";
import { openTestApi, type TestApi } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { wholeRun } from "../support/job-runs.ts";
import { builtInModels } from "../support/prices.ts";
import { incomingSpan, START_US } from "../support/spans.ts";

const HOUR_US = 3_600_000_000;
const EVERYTHING: RecomputationScope = { projectId: null, modelName: null, startUs: null, endUs: null };
/** More than one slice. */
const MANY = 600;

/** Has the database refuse the row of a cost: of one span, or of all. */
async function breakCostsOf(api: TestApi, spanId: number | null) {
  const { storage } = api.stored;
  const database = storage.handle.write(api.context());
  const condition = spanId === null ? sql`true` : sql`new.span_id = ${sql.lit(spanId)}`;
  if (storage.dialect.name === "sqlite") {
    await sql`create trigger broken before insert on span_costs when ${condition}
      begin select raise(abort, 'no cost for you'); end`.execute(database);
    return { remove: () => sql`drop trigger broken`.execute(database) };
  }
  await sql`create function broken() returns trigger language plpgsql as $$
    begin raise exception 'no cost for you'; end $$`.execute(database);
  await sql`create trigger broken before insert on span_costs for each row when (${condition})
    execute function broken()`.execute(database);
  return { remove: () => sql`drop function broken cascade`.execute(database) };
}

forEachDriver("costs recomputed", (driver) => {
  let api: TestApi;
  let round = 0;
  beforeAll(async () => {
    api = await openTestApi(await driver.createDatabase());
  });
  afterAll(async () => {
    expect((await verifyStorage(api.stored.storage, api.context(), ownedTables)).differences).toEqual([]);
    await api.close();
  });
  beforeEach(() => {
    round++;
  });

  const services = () => api.features.use(modelsFeature);
  /** Spans as they come from a decoder: of a model that is still unknown. */
  const call = (
    spanKey: string,
    more: { trace?: string; project?: string; given?: number; parent?: string; hours?: number } = {},
  ) => {
    const llm = {
      model_name: `model-${round}`,
      token_count: { prompt: 10, completion: 2 },
      ...(more.given === undefined ? {} : { cost: { total: more.given } }),
    };
    const startUs = START_US + (more.hours ?? 0) * HOUR_US;
    return incomingSpan({
      projectName: `${more.project ?? "one"}-${round}`,
      traceKey: `${more.trace ?? "trace"}-${round}`,
      sessionKey: `session-${round}`,
      spanKey,
      parentKey: more.parent ?? null,
      startUs,
      endUs: startUs + 1,
      kind: "LLM",
      model: llm.model_name,
      promptTokens: 10,
      completionTokens: 2,
      attributes: JSON.stringify({ openinference: { span: { kind: "LLM" } }, llm }),
      modelCall: JSON.stringify(llm),
    });
  };
  const store = (spans: ReturnType<typeof call>[]) =>
    ingestBatch(api.stored.ingest, spans, createCurrentPrices(builtInModels));
  const price = (perMillion: number, namePattern = `^model-${round}$`) =>
    services().models.createModel(api.context(), {
      name: `${namePattern} ${perMillion}`,
      provider: null,
      namePattern,
      startUs: null,
      prices: [
        { tokenType: "input", isPrompt: true, perMillion, tiers: [] },
        { tokenType: "output", isPrompt: false, perMillion, tiers: [] },
      ],
    });
  const start = (scope: Partial<RecomputationScope> = {}) =>
    services().recomputation.start(api.context(), { ...EVERYTHING, modelName: `model-${round}`, ...scope });
  const runToEnd = async () => {
    while (await services().recomputation.runSlice(api.context()));
    const { status, examined, changed, oldCost, newCost } = (await services().recomputation.findNewest(api.context()))!;
    expect(status).toBe("DONE");
    return { examined, changed, oldCost, newCost };
  };
  const recompute = async (scope: Partial<RecomputationScope> = {}) => {
    await start(scope);
    return runToEnd();
  };

  /** Units of all that says what the calls of this round cost. */
  const costs = async () => {
    const database = api.stored.storage.handle.read(api.context(), "short");
    const rows = await database
      .selectFrom("spans")
      .leftJoin("span_costs", "span_costs.span_id", "spans.id")
      .select(["span_key", "own_cost", "span_costs.cost", "span_costs.source", "span_costs.given_cost"])
      .where("model", "=", `model-${round}`)
      .execute();
    const sumOf = async (table: "traces" | "sessions", key: "trace_key" | "session_key") => {
      const found = await database
        .selectFrom(table)
        .select("cost")
        .where(sql.ref<string>(key), "like", `%-${round}`)
        .execute();
      return found.reduce((sum, { cost }) => sum + Number(cost), 0);
    };
    return {
      spans: Object.fromEntries(
        rows.map((row) => [row.span_key, [row.own_cost, row.cost, row.source, row.given_cost]]),
      ),
      traces: await sumOf("traces", "trace_key"),
      sessions: await sumOf("sessions", "session_key"),
    };
  };
  /** 12 tokens at one USD for a million. */
  const CALL = 12_000_000;

  test("every sum follows, given costs stay, and the second time changes nothing", async () => {
    await store([call("outer"), call("inner", { parent: "outer" }), call("given", { given: 0.5, trace: "second" })]);
    expect(await costs()).toEqual({
      spans: { outer: [null, null, 0, null], inner: [null, null, 0, null], given: [5e11, 5e11, 2, 5e11] },
      traces: 5e11,
      sessions: 5e11,
    });
    const { id } = await price(1);
    // The outer call repeats the inner one: its row changes, and no sum.
    expect(await recompute()).toEqual({
      examined: 3,
      changed: 3,
      oldCost: 500_000_000_000n,
      newCost: BigInt(3 * CALL),
    });
    const priced = {
      spans: { outer: [CALL, CALL, 1, null], inner: [CALL, CALL, 1, null], given: [CALL, CALL, 1, 5e11] },
      traces: 2 * CALL,
      sessions: 2 * CALL,
    };
    expect(await costs()).toEqual(priced);
    expect(await recompute()).toEqual({ examined: 3, changed: 0, oldCost: 0n, newCost: 0n });
    expect(await costs()).toEqual(priced);
    await services().models.deleteModel(api.context(), id);
    expect(await recompute()).toMatchObject({ changed: 3, newCost: 500_000_000_000n });
    expect((await costs()).traces).toBe(5e11);
  });

  test("of a period, a project or a model only", async () => {
    await store([
      call("early", { trace: "a" }),
      call("late", { trace: "b", hours: 2 }),
      call("other", { trace: "c", project: "two" }),
    ]);
    await price(2);
    const changed = async () =>
      Object.entries((await costs()).spans)
        .flatMap(([key, [cost]]) => (cost === null ? [] : [key]))
        .sort();
    const { id: projectId } = await api.projects.getProject(api.context(), `two-${round}`);
    expect((await recompute({ modelName: "nobody" })).examined).toBe(0);
    expect((await recompute({ projectId })).changed).toBe(1);
    expect(await changed()).toEqual(["other"]);
    expect((await recompute({ startUs: START_US + HOUR_US, endUs: START_US + 3 * HOUR_US })).changed).toBe(1);
    expect(await changed()).toEqual(["late", "other"]);
  });

  /** A service whose transactions and reads are watched. */
  const watched = (watch: {
    read?: (isInside: boolean, ids: readonly number[]) => void;
    before?: () => Promise<void>;
    clock?: Clock;
    list?: () => void;
  }) => {
    const { storage } = api.stored;
    const store = createRecomputationStore(storage.dialect);
    let isInside = false;
    return createRecomputationService({
      store: {
        ...store,
        async listCalls(...given) {
          watch.list?.();
          return store.listCalls(...given);
        },
        readCalls(context, ids) {
          watch.read?.(isInside, ids);
          return store.readCalls(context, ids);
        },
      },
      rows: createRecomputationRowsStore(storage.dialect),
      changes: createCostChangesStore(storage),
      storage: {
        withTraces: storage.withTraces,
        async transaction(context, work) {
          await watch.before?.();
          isInside = true;
          try {
            return await storage.transaction(context, work);
          } finally {
            isInside = false;
          }
        },
      },
      models: services().models,
      clock: watch.clock ?? systemClock,
      wake() {},
    });
  };

  /** A minute passes whenever it looks at the clock: it waits for nothing. */
  const impatient = () => {
    let minutes = 0;
    return watched({ clock: { now: () => systemClock.now() + ++minutes * 60_000_000 } });
  };

  test("payloads are read before the transaction, and a slice ends at 8 MiB of them", async () => {
    const filler = "x".repeat(1024 * 1024);
    const spans = Array.from({ length: 20 }, (_, at) => {
      const span = call(`${at}`);
      return { ...span, attributes: span.attributes.replace(/^\{/, `{"filler":"${filler}",`) };
    });
    for (let at = 0; at < spans.length; at += 5) await store(spans.slice(at, at + 5));
    await price(1);
    await start();
    const reads: { isInside: boolean; count: number }[] = [];
    const service = watched({ read: (isInside, ids) => reads.push({ isInside, count: ids.length }) });
    while (await service.runSlice(api.context()));
    expect(reads.length).toBeGreaterThanOrEqual(3);
    expect(reads.every(({ isInside, count }) => !isInside && count <= 8)).toBe(true);
    expect(await service.findNewest(api.context())).toMatchObject({ status: "DONE", examined: 20, changed: 20 });
    expect((await costs()).traces).toBe(20 * CALL);
  });

  test("messages that change a call while it is priced are seen", async () => {
    await store([call("changed"), call("same", { trace: "second" })]);
    await price(1);
    await start();
    const { storage } = api.stored;
    let changes = 0;
    const service = watched({
      async before() {
        if (changes++ > 0) return;
        const database = storage.handle.write(api.context());
        const { id } = await database
          .selectFrom("spans")
          .select("id")
          .where("span_key", "=", "changed")
          .where("model", "=", `model-${round}`)
          .executeTakeFirstOrThrow();
        const attributes = call("changed").attributes.replace('"prompt":10', '"prompt":98');
        await sql`update span_payloads set attributes = ${storage.dialect.json(attributes)} where span_id = ${id}`.execute(
          database,
        );
        await database.insertInto("span_messages").values({ span_id: id, digest: "d", body: "{}" }).execute();
      },
    });
    while (await service.runSlice(api.context()));
    expect((await costs()).spans).toMatchObject({
      changed: [100_000_000, 100_000_000, 1, null],
      same: [CALL, CALL, 1, null],
    });
  });

  test("a span that fails is passed over, with the reason", async () => {
    await store(Array.from({ length: 20 }, (_, at) => call(`${at}`, { trace: `${at % 3}` })));
    const { storage } = api.stored;
    const broken = await storage.handle
      .read(api.context(), "short")
      .selectFrom("spans")
      .select("id")
      .where("model", "=", `model-${round}`)
      .where("span_key", "=", "13")
      .executeTakeFirstOrThrow();
    const trigger = await breakCostsOf(api, broken.id);
    await price(1);
    await start();
    const recomputation = impatient();
    let failures = 0;
    for (let hasMore = true; hasMore; ) {
      try {
        hasMore = await recomputation.runSlice(api.context());
      } catch (error) {
        expect(String(error)).toContain("no cost for you");
        failures++;
        const { status, failure } = (await recomputation.findNewest(api.context()))!;
        expect([status, failure]).toEqual(["RUNNING", expect.stringContaining("no cost for you")]);
      }
      expect(failures).toBeLessThan(100);
    }
    await trigger.remove();
    const newest = (await recomputation.findNewest(api.context()))!;
    expect(newest).toMatchObject({ status: "DONE", failedSpans: 1, changed: 19, failures: 0 });
    expect((await costs()).traces).toBe(19 * CALL);
    expect((await recompute()).changed).toBe(1);
  });

  test("after a failure it waits, longer after each one, and the run of the job ends meanwhile", async () => {
    await store([call("a")]);
    await price(1);
    await start();
    let nowUs = systemClock.now();
    let isBroken = true;
    const service = watched({
      clock: { now: () => nowUs },
      list() {
        if (isBroken) throw new Error("no cost for you");
      },
    });
    const run = () => service.run(wholeRun(() => api.context()));
    const failures = async () => (await service.findNewest(api.context()))!.failures;
    for (const seconds of [1, 2, 4]) {
      const before = await failures();
      await expect(run()).rejects.toThrow("no cost for you");
      nowUs += seconds * 1_000_000 - 1;
      expect(await run()).toBe(true);
      expect(await failures()).toBe(before + 1);
      nowUs += 1;
    }
    isBroken = false;
    expect(await service.run({ ...wholeRun(() => api.context()), goOn: () => false })).toBe(false);
    expect(await run()).toBe(true);
    expect(await service.findNewest(api.context())).toMatchObject({ status: "DONE", changed: 1 });
  });

  test("one that fails with everything ends, and says why", async () => {
    await store(Array.from({ length: 20 }, (_, at) => call(`${at}`)));
    await price(1);
    await start();
    const trigger = await breakCostsOf(api, null);
    const recomputation = impatient();
    let failures = 0;
    for (let status = "RUNNING"; status === "RUNNING"; ) {
      // Spans of the other tests come first, and do not fail.
      await recomputation.runSlice(api.context()).catch(() => failures++);
      expect(failures).toBeLessThan(100);
      ({ status } = (await recomputation.findNewest(api.context()))!);
    }
    await trigger.remove();
    expect(failures).toBeGreaterThanOrEqual(20);
    expect(await recomputation.findNewest(api.context())).toMatchObject({
      status: "FAILED",
      failure: expect.stringContaining("no cost for you"),
      changed: 0,
    });
    expect(await recomputation.runSlice(api.context())).toBe(false);
    expect((await recompute()).changed).toBe(20);
  });

  test("a cost stays where patterns are too expensive for the name", async () => {
    const name = `model-${round}`;
    await store([call("kept", { given: 0.5 })]);
    const models = { currentPrices: async () => createPriceList([], 1) };
    const expensive = { ...(await models.currentPrices()), isTooExpensive: (other: string) => other === name };
    const attributes = call("kept").attributes;
    const stored = { id: 1, startUs: START_US, messages: 0, attributes };
    expect(recomputedCost(stored, expensive)).toBeUndefined();
    expect(recomputedCost(stored, await models.currentPrices())).toMatchObject({ source: "unknown" });
  });

  test("what was cut off goes on, and calls that arrive meanwhile count", async () => {
    await store(Array.from({ length: MANY }, (_, at) => call(`${at}`, { trace: `${at % 7}` })));
    await price(1);
    await start();
    await expect(start()).rejects.toThrow("Costs are being recomputed already");
    // As a server that is killed then.
    expect(await services().recomputation.runSlice(api.context())).toBe(true);
    const before = await costs();
    expect(before.traces).toBe(before.sessions);
    expect(before.traces).toBeLessThan(MANY * CALL);
    await store([call("new", { trace: "1" })]);
    expect((await runToEnd()).changed).toBe(MANY);
    const after = await costs();
    expect([after.traces, after.sessions]).toEqual([(MANY + 1) * CALL, (MANY + 1) * CALL]);
    expect(Object.values(after.spans).every(([own, cost]) => own === CALL && cost === CALL)).toBe(true);
  });
});
