// Quantiles of latency over block summaries are those of all spans, for every range, and at any time.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { sql } from "kysely";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { createLatencyQuantilesStore } from "../../src/modules/tracing/spans/statistics/latency-quantiles.store.ts";
import { createSpanStatisticsStore } from "../../src/modules/tracing/spans/statistics/span-statistics.store.ts";
import { markBlocks } from "../../src/storage/span-blocks.ts";
import { blockSpan, buildBlocks, randomOf } from "../support/blocks.ts";
import { forEachDriver } from "../support/drivers.ts";
import { settled } from "../support/settled.ts";
import { incomingSpan, START_US } from "../support/spans.ts";
import { openTestStorage, type TestStorage } from "../support/storage.ts";

const HOUR_US = 3_600_000_000;
const STEP_US = 30_000_000;
const EPOCH_SPANS = 65_536;
const CHUNK = 400;

forEachDriver("quantiles of latency", (driver) => {
  let store: TestStorage;
  let projects: number[];

  /** The next span gets this id. */
  async function continueAt(id: number): Promise<void> {
    const database = store.storage.handle.write(store.context());
    if (store.storage.dialect.name === "sqlite") {
      await sql`update sqlite_sequence set seq = ${id - 1} where name = 'spans'`.execute(database);
    } else await sql`select setval('spans_id_seq', ${id - 1}::bigint)`.execute(database);
  }

  /** A few spans of each of three epochs and of one that is not summarised, in the order of time but for some minutes. */
  beforeAll(async () => {
    store = await openTestStorage(await driver.createDatabase());
    const random = randomOf(5);
    for (let epoch = 0; epoch < 4; epoch++) {
      if (epoch > 0) await continueAt(epoch * EPOCH_SPANS);
      const spans = Array.from({ length: CHUNK }, (_, position) => {
        const span = blockSpan(random, epoch * CHUNK + position);
        const startUs = START_US + Math.floor((epoch * CHUNK + position + random() * 10) * STEP_US);
        // In some bands nothing but one value, and nothing at all in others.
        const latencyUs = random() < 0.4 ? 2_000_000 : Math.floor(10 ** (1 + random() * 5));
        return { ...span, startUs, endUs: startUs + latencyUs };
      });
      await ingestBatch(store.ingest, spans);
    }
    await buildBlocks(store, 3 * 16);
    const read = store.storage.handle.read(store.context(), "short");
    projects = (await read.selectFrom("projects").select("id").orderBy("id").execute()).map(({ id }) => id);
  }, 120_000);
  afterAll(() => store.close());

  const PROBABILITIES = [0, 0.001, 0.25, 0.5, 0.77, 0.95, 0.99, 0.9999, 1];
  const middle = START_US + 2 * CHUNK * STEP_US;
  const RANGES = [
    { startUs: null, endUs: null },
    { startUs: START_US - 1, endUs: null },
    { startUs: START_US + 3 * HOUR_US + 7, endUs: null },
    { startUs: null, endUs: middle + 123_456_789 },
    { startUs: middle - HOUR_US, endUs: middle + 4 * HOUR_US + 1 },
    // Neither holds a whole hour; the second holds nothing.
    { startUs: middle + 1, endUs: middle + HOUR_US / 2 },
    { startUs: START_US - HOUR_US, endUs: START_US - 1 },
  ];

  async function expectSame(): Promise<void> {
    const { dialect } = store.storage;
    const quantiles = createLatencyQuantilesStore(dialect, {
      leastBlocks: 1,
      worthwhile: Number.POSITIVE_INFINITY,
      margin: 2,
    });
    // Nothing is worthwhile with as few blocks as here: this one sorts.
    const plain = createSpanStatisticsStore(dialect);
    for (const range of RANGES) {
      for (const probability of PROBABILITIES) {
        const found = await quantiles.find(store.context(), projects, range, probability);
        const scope = settled({ ...range, spanCondition: " ", sessionCondition: null, probability });
        const wanted = await plain.sortedQuantile(store.context(), projects, scope);
        expect([...found!.keys()].sort()).toEqual([...wanted.keys()].sort());
        for (const [project, quantile] of wanted) expect(found!.get(project)).toBeCloseTo(quantile, 6);
      }
    }
  }

  test("are those of all spans, interpolated", expectSame);

  test("also where blocks are marked and spans have gone", async () => {
    const { storage } = store;
    await storage.transaction(store.context(), async (inner) => {
      const database = inner.database.write(inner);
      const gone = [3, 5, EPOCH_SPANS + 1, EPOCH_SPANS + 2, 3 * EPOCH_SPANS + 4];
      await database
        .deleteFrom("spans")
        .where(storage.dialect.inList(sql.ref("id"), gone))
        .execute();
      await markBlocks(database, gone);
    });
    await expectSame();
  });

  test("are of one snapshot while spans arrive", async () => {
    const project = "balanced";
    let stored = 0;
    // Of each transaction one half is below the median, the other above it.
    const balanced = (count: number) =>
      Array.from({ length: count }, () => {
        const distance = 1 + (stored++ >> 1) * 7;
        const startUs = START_US + stored;
        const latencyUs = 600_000 + (stored % 2 === 0 ? distance : -distance);
        return incomingSpan({
          projectName: project,
          traceKey: `balanced ${stored}`,
          spanKey: `${stored}`,
          startUs,
          endUs: startUs + latencyUs,
        });
      });
    const median = { projectName: project, traceKey: "median", spanKey: "median" };
    await ingestBatch(store.ingest, [
      incomingSpan({ ...median, startUs: START_US, endUs: START_US + 600_000 }),
      ...balanced(200),
    ]);
    const read = store.storage.handle.read(store.context(), "short");
    const { id } = await read.selectFrom("projects").select("id").where("name", "=", project).executeTakeFirstOrThrow();
    const quantiles = createLatencyQuantilesStore(store.storage.dialect, {
      leastBlocks: 1,
      worthwhile: Number.POSITIVE_INFINITY,
      margin: 20,
    });
    let arriving = true;
    const arrive = (async () => {
      for (let batch = 0; batch < 20; batch++) await ingestBatch(store.ingest, balanced(20));
      arriving = false;
    })();
    const answers = new Set<number | undefined>();
    while (arriving) {
      const found = await quantiles.find(store.context(), [id], { startUs: null, endUs: null }, 0.5);
      if (found !== null) answers.add(found.get(id));
    }
    await arrive;
    expect([...answers]).toEqual([600_000]);
  });

  test("are left to sorting where that is as quick", async () => {
    for (const options of [
      { leastBlocks: 1000, worthwhile: Number.POSITIVE_INFINITY, margin: 2 },
      { leastBlocks: 1, worthwhile: 0, margin: 2 },
    ]) {
      const quantiles = createLatencyQuantilesStore(store.storage.dialect, options);
      expect(await quantiles.find(store.context(), projects, { startUs: null, endUs: null }, 0.5)).toBeNull();
    }
  });
});
