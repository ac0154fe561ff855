// Facets and statistics say what a count of all spans says, however much is summarised already.

import { beforeAll, expect, test } from "bun:test";
import type { StatisticScope } from "../../src/filter/scope.ts";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { parseJson } from "../../src/kernel/json.ts";
import { spanKinds, spanStatuses } from "../../src/model/span.ts";
import { exceptionTypeOf, facetBands } from "../../src/model/summaries/blocks/facets.ts";
import { createDeletionService } from "../../src/modules/tracing/deletion/deletion.service.ts";
import { createTransferService } from "../../src/modules/tracing/deletion/transfer.service.ts";
import { createFacetScanStore } from "../../src/modules/tracing/spans/facets/facet-scan.store.ts";
import { createFacetsService, listedFacets } from "../../src/modules/tracing/spans/facets/facets.service.ts";
import { createSpanStatisticsService } from "../../src/modules/tracing/spans/statistics/span-statistics.service.ts";
import { createSpanStatisticsStore } from "../../src/modules/tracing/spans/statistics/span-statistics.store.ts";
import { createTraceStatisticsStore } from "../../src/modules/tracing/traces/statistics/trace-statistics.store.ts";
import { ownedTables } from "../../src/server/features.ts";
import { binOf, type TimeBins } from "../../src/storage/time-bins.ts";
import { createCandidatesStore } from "../../src/summaries/blocks/candidates.store.ts";
import { createFacetCountsStore } from "../../src/summaries/blocks/facet-counts.store.ts";
import { createRollupsService } from "../../src/summaries/rollups/rollups.service.ts";
import { buildBlocks, randomOf, storeBlockSpans } from "../support/blocks.ts";
import { forEachDriver } from "../support/drivers.ts";
import { settled } from "../support/settled.ts";
import { incomingSpan, START_US } from "../support/spans.ts";
import { openTestStorage } from "../support/storage.ts";
import { openForSuite } from "../support/suite.ts";

const HOUR_US = 3_600_000_000;
const NAME = "a name that goes on 🎉 ".repeat(30);

forEachDriver("span facets", (driver) => {
  const store = openForSuite(async () => openTestStorage(await driver.createDatabase()));
  let projects: number[];
  beforeAll(async () => {
    await storeBlockSpans(store, randomOf(21), 0, 4500);
    // Values beyond what an index takes, and times before those of everything else.
    await ingestBatch(store.ingest, [
      incomingSpan({ projectName: "p0", traceKey: "long", name: NAME, model: NAME, userKey: "u".repeat(900) }),
      incomingSpan({ projectName: "p0", traceKey: "old", startUs: 0, endUs: 10 ** 12 }),
    ]);
    await storeBlockSpans(store, randomOf(22), 4500, 9000);
    const rows = await store.storage.handle
      .read(store.context(), "short")
      .selectFrom("projects")
      .select("id")
      .execute();
    projects = rows.map(({ id }) => id).sort((one, other) => one - other);
  });

  const services = () => {
    const { storage } = store;
    const { dialect } = storage;
    const rollups = createRollupsService(storage);
    return {
      facets: createFacetsService({
        counts: createFacetCountsStore(dialect),
        scan: createFacetScanStore(dialect),
        rollups,
      }),
      statistics: createSpanStatisticsService(createSpanStatisticsStore(dialect), rollups),
      traces: createTraceStatisticsStore(dialect, createCandidatesStore(dialect).inScope),
      transfer: createTransferService(storage),
      deletion: createDeletionService({ ownedTables, storage, rollups, transfer: createTransferService(storage) }),
    };
  };

  async function readSpans() {
    const rows = await store.storage.handle
      .read(store.context(), "short")
      .selectFrom("spans")
      .innerJoin("span_payloads", "span_payloads.span_id", "spans.id")
      .selectAll("spans")
      .select((eb) => [
        store.storage.dialect.jsonText(eb.ref("span_payloads.events")).as("events"),
        store.storage.dialect.jsonText(eb.ref("span_payloads.attributes")).as("attributes"),
      ])
      .execute();
    return rows;
  }
  type StoredSpan = Awaited<ReturnType<typeof readSpans>>[number];

  const short = (text: string) => [...text].slice(0, 200).join("");
  const values: Record<(typeof listedFacets)[number], (span: StoredSpan) => string | null> = {
    kind: (span) => spanKinds[span.kind]!,
    status: (span) => spanStatuses[span.status]!,
    model: (span) => (span.model === null ? null : short(span.model)),
    name: (span) => short(span.name),
    user: (span) => (span.user_key === null ? null : short(span.user_key)),
    errorType: (span) => (spanStatuses[span.status] === "ERROR" ? exceptionTypeOf(parseJson(span.events)) : null),
  };
  const tally = (spans: readonly StoredSpan[], reading: (span: StoredSpan) => string | null) => {
    const counts: Record<string, number> = {};
    for (const span of spans) {
      const value = reading(span);
      if (value !== null) counts[value] = (counts[value] ?? 0) + 1;
    }
    return counts;
  };

  const ranges: readonly (readonly [number | null, number | null])[] = [
    [null, null],
    [START_US + HOUR_US, START_US + 4 * HOUR_US],
    [START_US + 1.4 * HOUR_US, START_US + 5.3 * HOUR_US],
    [START_US + 2.2 * HOUR_US, START_US + 2.9 * HOUR_US],
    [START_US + 2.2 * HOUR_US, START_US + 3.1 * HOUR_US],
    [START_US + 3.5 * HOUR_US, null],
    [null, START_US + 2.5 * HOUR_US],
  ];

  async function compareAll(): Promise<void> {
    const spans = await readSpans();
    const { facets, statistics } = services();
    for (const [number, projectId] of projects.slice(0, 2).entries()) {
      for (const [startUs, endUs] of ranges.filter((_range, position) => position % 2 === number)) {
        const inRange = spans.filter((span) => {
          const { project_id, start_us } = span;
          return project_id === projectId && start_us >= (startUs ?? 0) && start_us < (endUs ?? Number.MAX_VALUE);
        });
        const scope: StatisticScope = { startUs, endUs, spanCondition: null, sessionCondition: null };
        const found = facets.facetsOf(store.context(), projectId, scope);
        for (const facet of listedFacets) {
          const listed = await found.values(facet, 1000);
          expect(Object.fromEntries(listed.map(({ value, count }) => [value, count]))).toEqual(
            tally(inRange, values[facet]),
          );
        }
        const bands = await found.latencies();
        const bandOf = ({ latency_us }: StoredSpan) => String(facetBands.findLast((low) => low <= latency_us));
        expect(Object.fromEntries(bands.map(({ lowUs, count }) => [lowUs, count]))).toEqual(tally(inRange, bandOf));

        const tokens = (await statistics.tokens(store.context(), [projectId], scope)).get(projectId);
        const counted = await statistics.count(store.context(), [projectId], scope);
        expect(counted.get(projectId) ?? 0).toBe(inRange.length);
        const sum = (column: "prompt_tokens" | "completion_tokens") =>
          inRange.reduce((total, span) => total + (span[column] ?? 0), 0);
        expect(tokens).toEqual({ prompt: sum("prompt_tokens"), completion: sum("completion_tokens") });
        if (startUs !== null && endUs !== null) await compareSeries(projectId, { startUs, endUs }, inRange);
      }
    }
  }

  async function compareSeries(projectId: number, period: { startUs: number; endUs: number }, spans: StoredSpan[]) {
    const scope = { ...period, spanCondition: null, sessionCondition: null };
    for (const bins of [
      { scale: "HOUR", offsetMinutes: 0 },
      { scale: "DAY", offsetMinutes: 330 },
      { scale: "DAY", offsetMinutes: -120 },
      { scale: "MONTH", offsetMinutes: 60 },
    ] satisfies TimeBins[]) {
      const series = await services().statistics.countSeries(store.context(), projectId, period, scope, bins);
      const filled = series.filter(({ total }) => total !== null).map(({ total, error }) => [total, error]);
      const expected = [...Map.groupBy(spans, (span) => binOf(span.start_us, bins))].sort(
        ([one], [other]) => one - other,
      );
      expect(filled).toEqual(
        expected.map(([, members]) => [
          members.length,
          members.filter(({ status }) => spanStatuses[status] === "ERROR").length,
        ]),
      );
    }
  }

  test("agree with all spans while blocks are built", async () => {
    await compareAll();
    await buildBlocks(store, 1);
    await compareAll();
    await buildBlocks(store, 2);
    await compareAll();
  });

  test("agree after deletions and moves, before and after blocks are counted again", async () => {
    const { transfer, deletion } = services();
    const traces = await store.storage.handle
      .read(store.context(), "short")
      .selectFrom("traces")
      .select(["id", "trace_key as traceKey", "span_count as spanCount"])
      .where("project_id", "=", projects[0]!)
      .orderBy("id")
      .execute();
    // Of the first block only: the other one stays counted.
    for (const trace of traces.slice(0, 5)) await deletion.deleteTrace(store.context(), trace);
    await transfer.transferTraces(
      store.context(),
      traces.slice(5, 9).map(({ id }) => id),
      projects[1]!,
    );
    await compareAll();
    await buildBlocks(store, 2);
    await compareAll();
  });

  test("of spans that match a condition are those of a scan", async () => {
    const spans = await readSpans();
    const [projectId] = projects;
    for (const [spanCondition, matches] of [
      ["attributes['rare'] == 3", (span: StoredSpan) => span.attributes.includes('"rare"') && rareOf(span) === 3],
      [
        "span_kind == 'LLM' and latency_ms > 1000",
        (span: StoredSpan) => span.kind === 1 && span.latency_us > 1_000_000,
      ],
    ] as const) {
      const matching = spans.filter((span) => span.project_id === projectId && matches(span));
      expect(matching.length).toBeGreaterThan(100);
      const scope: StatisticScope = { startUs: null, endUs: null, spanCondition, sessionCondition: null };
      const found = services().facets.facetsOf(store.context(), projectId!, scope);
      for (const facet of listedFacets) {
        const listed = await found.values(facet, 1000);
        const counts = Object.fromEntries(listed.map(({ value, count }) => [value, count]));
        expect(counts).toEqual(tally(matching, values[facet]));
      }
      const count = await services().statistics.count(store.context(), [projectId!], scope);
      expect(count.get(projectId!)).toBe(matching.length);
      const traces = await services().traces.count(store.context(), [projectId!], settled(scope));
      expect(traces.get(projectId!)).toBe(new Set(matching.map((span) => span.trace_id)).size);
    }
  });

  const rareOf = (span: StoredSpan) => (parseJson(span.attributes) as { rare?: number }).rare;

  test("of spans that match a condition are read together, those that are asked for alone", async () => {
    const { dialect } = store.storage;
    const scan = createFacetScanStore(dialect);
    const reads: (readonly string[])[] = [];
    const facets = createFacetsService({
      counts: createFacetCountsStore(dialect),
      scan: {
        count(context, projectId, scope, wanted) {
          reads.push(wanted);
          return scan.count(context, projectId, scope, wanted);
        },
      },
      rollups: createRollupsService(store.storage),
    });
    const scope = { startUs: null, endUs: null, spanCondition: "status_code == 'ERROR'", sessionCondition: null };
    const asked = facets.facetsOf(store.context(), projects[0]!, scope);
    await Promise.all([asked.values("name", 3), asked.values("kind", 3), asked.latencies()]);
    expect(reads).toEqual([["name", "kind", "latency"]]);
    await asked.values("errorType", 3);
    expect(reads.slice(1)).toEqual([["errorType"]]);
    const refused = facets.facetsOf(store.context(), projects[0]!, { ...scope, spanCondition: "name ==" });
    expect(refused.values("name", 3)).rejects.toMatchObject({ code: "filter.invalid" });
  });

  test("list the most frequent values first, as many as asked for", async () => {
    const scope: StatisticScope = { startUs: null, endUs: null, spanCondition: null, sessionCondition: null };
    const users = await services().facets.facetsOf(store.context(), projects[1]!, scope).values("user", 5);
    expect(users).toHaveLength(5);
    expect(users.map(({ count }) => count)).toEqual(users.map(({ count }) => count).sort((one, other) => other - one));
  });
});
