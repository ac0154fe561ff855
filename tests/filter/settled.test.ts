// Sums over child spans are never read before they are settled: no store takes, and nothing compiles to SQL, what was not settled.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  type Filter,
  parseSessionFilter,
  parseSpanFilter,
  parseTraceFilter,
  type SpanFilter,
} from "../../src/filter/filter.ts";
import { type StatisticScope, scopeOfRange, type spansInScope, type tracesInScope } from "../../src/filter/scope.ts";
import type { Settled } from "../../src/filter/settled.ts";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import type { SessionListScope } from "../../src/modules/tracing/sessions/session-list.store.ts";
import type { FacetScanStore } from "../../src/modules/tracing/spans/facets/facet-scan.store.ts";
import type { SpanSort } from "../../src/modules/tracing/spans/list/span-list.rules.ts";
import type { SpanPageRequest, SpanPageScope } from "../../src/modules/tracing/spans/list/span-pages.store.ts";
import type { TraceSpanRequest } from "../../src/modules/tracing/spans/list/trace-spans.store.ts";
import type { SpanRowsStore } from "../../src/modules/tracing/spans/rows/span-rows.store.ts";
import type { SearchScope } from "../../src/modules/tracing/spans/search/search.store.ts";
import type { TraceScope } from "../../src/modules/tracing/traces/list/trace-list.store.ts";
import { createRollupsService } from "../../src/summaries/rollups/rollups.service.ts";
import { forEachDriver } from "../support/drivers.ts";
import { incomingSpan } from "../support/spans.ts";
import { openTestStorage, type TestStorage } from "../support/storage.ts";

type Takes<Wanted, Given> = [Given] extends [Wanted] ? "taken" : "refused";

/** The checker of types decides: a place that takes what was not settled makes its line an error. */
const places: readonly "refused"[] = [
  "refused" satisfies Takes<ThisParameterType<Filter["condition"]>, Filter>,
  "refused" satisfies Takes<ThisParameterType<SpanFilter["condition"]>, SpanFilter>,
  "refused" satisfies Takes<Parameters<typeof spansInScope>[1], StatisticScope>,
  "refused" satisfies Takes<Parameters<typeof tracesInScope>[1], StatisticScope>,
  "refused" satisfies Takes<Parameters<FacetScanStore["count"]>[2], StatisticScope>,
  "refused" satisfies Takes<SearchScope["filter"], Filter>,
  "refused" satisfies Takes<SpanPageScope["filter"], SpanFilter>,
  "refused" satisfies Takes<SpanPageScope["traceFilter"], Filter>,
  "refused" satisfies Takes<SpanPageRequest["sort"], SpanSort>,
  "refused" satisfies Takes<TraceSpanRequest["filter"], SpanFilter>,
  "refused" satisfies Takes<TraceScope["filter"], Filter>,
  "refused" satisfies Takes<SessionListScope["filter"], Filter>,
  "refused" satisfies Takes<Parameters<SpanRowsStore["readSums"]>[1], { readonly traceIds: number[] }>,
];
const ways: readonly "taken"[] = [
  "taken" satisfies Takes<SpanPageScope["filter"], Settled<SpanFilter>>,
  "taken" satisfies Takes<SpanPageRequest["sort"], Exclude<SpanSort, `cumulative${string}`>>,
  "taken" satisfies Takes<Parameters<typeof spansInScope>[1], ReturnType<typeof scopeOfRange>>,
];

test("what was not settled is refused by the types", () => {
  expect(new Set(places)).toEqual(new Set(["refused"]));
  expect(new Set(ways)).toEqual(new Set(["taken"]));
});

forEachDriver("settled filters", (driver) => {
  let store: TestStorage;
  const range = { startUs: null, endUs: null };
  const llm = { kind: "LLM", promptTokens: 1, completionTokens: 0, projectName: "cyclic" } as const;
  beforeEach(async () => {
    store = await openTestStorage(await driver.createDatabase());
    // A cycle closes in a later batch: the sums of its trace wait to be computed.
    await ingestBatch(store.ingest, [incomingSpan({ ...llm, traceKey: "t", spanKey: "a", parentKey: "b" })]);
    await ingestBatch(store.ingest, [
      incomingSpan({ ...llm, traceKey: "t", spanKey: "b", parentKey: "a" }),
      incomingSpan({ ...llm, traceKey: "t", spanKey: "root" }),
    ]);
  });
  afterEach(() => store.close());

  const pending = async () => {
    const read = store.storage.handle.read(store.context(), "short");
    return (await read.selectFrom("pending_rollups").select("trace_id").execute()).map((row) => row.trace_id);
  };
  const one = { projectIds: [1] };
  const other = { projectIds: [2] };
  type Rollups = ReturnType<typeof createRollupsService>;
  const sums = parseSpanFilter("cumulative_token_count.total > 1");
  const scope: StatisticScope = { ...range, spanCondition: "cumulative_token_count.total > 1", sessionCondition: null };

  describe("settle what is read", () => {
    const readings: readonly [string, (rollups: Rollups) => Promise<unknown>][] = [
      ["a filter on spans", (rollups) => rollups.settledFilter(store.context(), one, sums)],
      [
        "a filter on traces",
        (rollups) => {
          const filter = parseTraceFilter("max(s.cumulative_error_count for s in spans) > 1");
          return rollups.settledFilter(store.context(), one, filter);
        },
      ],
      ["a filter over every trace", (rollups) => rollups.settledFilter(store.context(), "every trace", sums)],
      [
        "a filter in some traces",
        async (rollups) => rollups.settledFilter(store.context(), { traceIds: await pending() }, sums),
      ],
      ["a scope", (rollups) => rollups.settledScope(store.context(), [1], scope)],
      ["a statistic", (rollups) => rollups.settling(pending)(store.context(), [1], scope)],
      ["anything else", (rollups) => rollups.settled(store.context(), one, "a sort")],
    ];
    test.each(readings)("%s", async (_name, read) => {
      expect(await pending()).toHaveLength(1);
      await read(createRollupsService(store.storage));
      expect(await pending()).toEqual([]);
    });
  });

  test("nothing else is settled", async () => {
    const rollups = createRollupsService(store.storage);
    const filter = parseSpanFilter("name == 'a'");
    expect(await rollups.settledFilter(store.context(), one, filter)).toBe(filter as Settled<SpanFilter>);
    await rollups.settledFilter(store.context(), other, sums);
    await rollups.settledFilter(store.context(), { traceIds: [99] }, sums);
    await rollups.settledScope(store.context(), [1], scopeOfRange(range));
    await rollups.settledScope(store.context(), [2], scope);
    expect(await pending()).toHaveLength(1);
  });

  test("a filter that matches everything is dropped", async () => {
    const rollups = createRollupsService(store.storage);
    expect(await rollups.settledFilter(store.context(), one, parseSessionFilter(" "))).toBeNull();
    expect(await rollups.settledFilter(store.context(), one, null)).toBeNull();
  });
});
