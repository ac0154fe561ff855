// Prices that people change while spans arrive at two servers of one database: what arrives after a change has been answered costs the
// new price at both, what arrives meanwhile the old or the new one, and nothing a mixture.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { PatternProblem } from "../../src/costs/name-search.ts";
import { createCurrentPrices } from "../../src/ingest/current-prices.ts";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import type { CurrentPrices } from "../../src/ingest/priced-spans.ts";
import { createMutex } from "../../src/kernel/mutex.ts";
import { modelsFeature } from "../../src/modules/tracing/models/models.feature.ts";
import type { ModelsService } from "../../src/modules/tracing/models/models.service.ts";
import type { IngestStore } from "../../src/storage/ingest-store.ts";
import { openTestApi, type TestApi } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { builtInModels } from "../support/prices.ts";
import { incomingSpan } from "../support/spans.ts";
import { openTestStorage, type TestStorage } from "../support/storage.ts";

const NAME = "acme-7b";
const modelCall = JSON.stringify({ model_name: NAME, token_count: { prompt: 1_000_000, completion: 1_000_000 } });
const spanOf = (spanKey: string) => incomingSpan({ traceKey: spanKey, spanKey, kind: "LLM", model: NAME, modelCall });
/** Two prices that tell which of them was used, also half by half. */
const given = (price: number) => ({
  name: NAME,
  provider: null,
  namePattern: `^${NAME}$`,
  startUs: null,
  prices: [
    { tokenType: "input", isPrompt: true, perMillion: price, tiers: [] },
    { tokenType: "output", isPrompt: false, perMillion: price * 1000, tiers: [] },
  ],
});

forEachDriver("prices of two servers", (driver) => {
  let api: TestApi;
  let second: TestStorage | null = null;
  let models: ModelsService;
  let servers: ((spanKey: string) => Promise<unknown>)[];

  beforeAll(async () => {
    const url = await driver.createDatabase();
    api = await openTestApi(url);
    // A file belongs to one server: there only what the two know of prices is apart.
    if (driver.name === "postgres") second = await openTestStorage(url);
    models = api.features.use(modelsFeature).models;
    servers = [api.stored.ingest, (second ?? api.stored).ingest].map((ingest) => {
      const prices = createCurrentPrices(builtInModels);
      return (spanKey) => ingestBatch(ingest, [spanOf(spanKey)], prices);
    });
  });
  afterAll(async () => {
    await second?.close();
    await api.close();
  });

  const costOf = async (spanKey: string) => {
    const row = await api.stored.storage.handle
      .read(api.context(), "short")
      .selectFrom("spans")
      .leftJoin("span_costs", "span_costs.span_id", "spans.id")
      .select(["cost", "model_id as modelId"])
      .where("span_key", "=", spanKey)
      .executeTakeFirstOrThrow();
    return row.cost === null ? null : Number(row.cost) / 1e12;
  };
  const atBoth = async (name: string) => {
    const keys = servers.map((_, server) => `${name}-${server}`);
    await Promise.all(servers.map((store, server) => store(keys[server]!)));
    return Promise.all(keys.map(costOf));
  };

  test("what arrives after a change costs what it says", async () => {
    expect(await atBoth("before")).toEqual([null, null]);
    const { id } = await models.createModel(api.context(), given(1));
    expect(await atBoth("created")).toEqual([1001, 1001]);
    await models.updateModel(api.context(), id, given(2));
    expect(await atBoth("changed")).toEqual([2002, 2002]);
    await models.deleteModel(api.context(), id);
    expect(await atBoth("deleted")).toEqual([null, null]);
    expect(await costOf("created-0")).toBe(1001);
  });

  test("what arrives meanwhile costs the old price or the new one, later never less new", async () => {
    const { id } = await models.createModel(api.context(), given(1));
    // As the one writer of a file sees to.
    const writer = createMutex();
    const write = <Result>(work: () => Promise<Result>) => (driver.name === "sqlite" ? writer.hold(work) : work());
    let answered = 1;
    let ended = false;
    const changes = (async () => {
      try {
        for (let price = 2; price <= 8; price++) {
          await write(() => models.updateModel(api.context(), id, given(price)));
          answered = price;
        }
      } finally {
        ended = true;
      }
    })();
    const arrivals = servers.map(async (store, server) => {
      const arrived: { key: string; atLeast: number }[] = [];
      while (!ended) {
        const key = `meanwhile-${server}-${arrived.length}`;
        arrived.push({ key, atLeast: answered });
        await write(() => store(key));
        // SQLite answers at once: the changes have their turn.
        await new Promise(setImmediate);
      }
      return arrived;
    });
    await changes;
    const wholePrices = Array.from({ length: 8 }, (_, index) => (index + 1) * 1001);
    for (const { key, atLeast } of (await Promise.all(arrivals)).flat()) {
      const cost = await costOf(key);
      expect(wholePrices).toContain(cost as number);
      expect(cost).toBeGreaterThanOrEqual(atLeast * 1001);
    }
    expect(await atBoth("after")).toEqual([8008, 8008]);
    await models.deleteModel(api.context(), id);
  });

  test("patterns are searched for outside of the transaction, also after a change", async () => {
    const prices = createCurrentPrices(builtInModels);
    let isInside = false;
    const priced: boolean[] = [];
    const watched: CurrentPrices = {
      get change() {
        return prices.change;
      },
      price(spans) {
        priced.push(isInside);
        return prices.price(spans);
      },
      renew: (own) => prices.renew(own),
    };
    const ingest: IngestStore = {
      ...api.stored.ingest,
      run: (needs, work) =>
        api.stored.ingest.run(needs, async (transaction) => {
          isInside = true;
          try {
            return await work(transaction);
          } finally {
            isInside = false;
          }
        }),
    };
    const store = (spanKey: string, prices: CurrentPrices) => ingestBatch(ingest, [spanOf(spanKey)], prices);
    const { id } = await models.createModel(api.context(), given(3));
    await store("outside", watched);
    expect(priced).toEqual([false, false]);
    expect(await costOf("outside")).toBe(3003);
    // As if there were another change each time: spans are stored all the same.
    let renewals = 0;
    const late: CurrentPrices = {
      change: -1,
      price: watched.price,
      renew(own) {
        renewals++;
        prices.renew(own);
      },
    };
    priced.length = 0;
    await store("late", late);
    expect([renewals, priced]).toEqual([3, [false, false, false, true]]);
    expect(await costOf("late")).toBe(3003);
    await models.deleteModel(api.context(), id);
  });

  test("a stored pattern that is too large is skipped, and stops no ingestion", async () => {
    const { id } = await models.createModel(api.context(), given(4));
    await api.stored.storage.transaction(api.context(), async (inner) => {
      const large = "(?:acme?){400}";
      await inner.database
        .write(inner)
        .updateTable("models")
        .set({ name_pattern: large, change: 1e6 })
        .where("id", "=", id)
        .execute();
    });
    const problems: PatternProblem[] = [];
    const prices = createCurrentPrices(builtInModels, (problem) => problems.push(problem));
    await ingestBatch(api.stored.ingest, [spanOf("skipped")], prices);
    expect(await costOf("skipped")).toBeNull();
    expect(problems).toMatchObject([{ modelName: NAME, namePattern: "(?:acme?){400}" }]);
    expect(problems[0]!.problem).toStartWith("skipped: The name pattern is not usable");
    await models.deleteModel(api.context(), id);
  });
});
