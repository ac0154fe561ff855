// Every list of spans, traces and sessions walks the index that was made for it, on both databases, before and after the
// planner has counted the rows. A wrong index reads a whole project.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { parseSpanFilter } from "../../src/filter/filter.ts";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { type SortedRequest, startAt, startBehind } from "../../src/kernel/list.ts";
import { silentLogger } from "../../src/kernel/logger.ts";
import { targetKinds } from "../../src/modules/evaluation/annotations/annotation-targets.rules.ts";
import { createAnnotationOwnersStore } from "../../src/modules/evaluation/annotations/writing/annotation-owners.store.ts";
import { createDeleteStore } from "../../src/modules/tracing/deletion/delete.store.ts";
import { createDeleteListsStore } from "../../src/modules/tracing/deletion/delete-lists.store.ts";
import { createDeleteSpansStore } from "../../src/modules/tracing/deletion/delete-spans.store.ts";
import type { SessionSort } from "../../src/modules/tracing/sessions/session-list.rules.ts";
import { createSessionListStore } from "../../src/modules/tracing/sessions/session-list.store.ts";
import { createSessionsStore } from "../../src/modules/tracing/sessions/sessions.store.ts";
import { createSpanListStore, type SpanListRequest } from "../../src/modules/tracing/spans/list/span-list.store.ts";
import { createSpanPagesStore, type SpanPageScope } from "../../src/modules/tracing/spans/list/span-pages.store.ts";
import { createSpanPayloadsStore } from "../../src/modules/tracing/spans/payload/span-payloads.store.ts";
import { createSearchStore, type SearchedKind } from "../../src/modules/tracing/spans/search/search.store.ts";
import { type SpanFilterInput, spanFilterOf } from "../../src/modules/tracing/spans/span-filter.rules.ts";
import { createSpanLookupStore } from "../../src/modules/tracing/spans/span-lookup.store.ts";
import type { TraceSort } from "../../src/modules/tracing/traces/list/trace-list.rules.ts";
import { createTraceListStore, type TraceScope } from "../../src/modules/tracing/traces/list/trace-list.store.ts";
import { createTracesStore } from "../../src/modules/tracing/traces/traces.store.ts";
import { ownedTables } from "../../src/server/features.ts";
import type { CallContext } from "../../src/storage/storage.ts";
import { forEachDriver } from "../support/drivers.ts";
import { fullScans, openQueryPlans, type QueryPlans } from "../support/query-plans.ts";
import { settled } from "../support/settled.ts";
import { incomingSpan, START_US } from "../support/spans.ts";
import { openTestStorage, type TestStorage } from "../support/storage.ts";

/** More than the span list looks at before it turns to the time range. */
const SPANS = 24_000;
const SPANS_OF_A_TRACE = 4;
const MINUTE_US = 60_000_000;

const hex = (number: number) => number.toString(16).padStart(8, "0");

async function fill(store: TestStorage): Promise<void> {
  for (let first = 0; first < SPANS; first += 2000) {
    await ingestBatch(
      store.ingest,
      Array.from({ length: 2000 }, (_, offset) => {
        const number = first + offset;
        const trace = Math.floor(number / SPANS_OF_A_TRACE);
        return incomingSpan({
          projectName: trace % 10 === 0 ? "small" : "large",
          traceKey: `t${hex(trace)}`,
          spanKey: `s${hex(number)}`,
          parentKey: number % SPANS_OF_A_TRACE === 0 ? null : `s${hex(number - 1)}`,
          name: `step ${number % 50}`,
          status: trace % 20 === 1 ? "ERROR" : "OK",
          sessionKey: trace % 10 === 0 ? null : `chat ${trace >> 1}`,
          startUs: START_US + number * MINUTE_US,
          endUs: START_US + number * MINUTE_US + (number % 977) * 1000,
          largeValues: number % 10 === 5 ? [{ path: '["input","value"]', text: `long input ${number}` }] : [],
        });
      }),
    );
  }
}

interface Case {
  readonly name: string;
  readonly run: (context: CallContext) => Promise<unknown>;
  /** Of the last statement, which is the list; any one of them. */
  readonly indexes: readonly string[];
  /** True where the page is read until it is full, however few matches are expected: nothing else is sorted but equal values. */
  readonly walks?: boolean;
  /** True where an index of the project, read beside the other, is a project read. */
  readonly alone?: boolean;
}

function casesOf(store: TestStorage, projectId: number): Case[] {
  const { dialect } = store.storage;
  const list = createSpanListStore(dialect);
  const pageStore = createSpanPagesStore(dialect);
  const lookup = createSpanLookupStore(dialect);
  const owners = createAnnotationOwnersStore(dialect);
  const payloads = createSpanPayloadsStore(dialect, silentLogger);
  const traceRows = createTracesStore(dialect);
  const traceList = createTraceListStore(dialect);
  const sessionRows = createSessionsStore(dialect);
  const sessionList = createSessionListStore(dialect);
  const searching = createSearchStore(dialect);
  const toDelete = createDeleteListsStore();
  const doomed = createDeleteStore({ ownedTables, dialect });
  const doomedSpans = createDeleteSpansStore(dialect);
  const middle = { value: START_US + 12_000 * MINUTE_US, rowId: 12_000 };
  const range = { startUs: null, endUs: null };
  // SQLite calls the table of sorted blocks by the name that the query gives it.
  const ofKeys =
    store.storage.dialect.name === "sqlite"
      ? "SEARCH keys USING PRIMARY KEY (run=? AND span_key=?)"
      : "spans_by_epoch_key";
  const primary = store.storage.dialect.name === "sqlite" ? "INTEGER PRIMARY KEY" : "_pkey";

  const spans = (name: string, filter: SpanFilterInput, rows: Partial<SpanListRequest>, ...indexes: string[]): Case => {
    const request = { sort: "arrival", order: "desc", start: null, limit: 100, ...rows } as const;
    const scope = { projectId, filter: spanFilterOf(filter) };
    return { name, indexes, run: (context) => list.list(context, scope, request) };
  };
  const pages = (name: string, condition: string, given: Partial<SpanPageScope>, index: string): Case => {
    const filter = settled(parseSpanFilter(condition));
    const scope = { projectId, ...range, roots: "none", filter, traceFilter: null, ...given } as const;
    const request = { sort: "startTime", order: "desc", start: null, limit: 100 } as const;
    return { name, indexes: [index], walks: true, run: (context) => pageStore.listOfProject(context, scope, request) };
  };
  const traces = (
    name: string,
    given: Partial<TraceScope>,
    rows: Partial<SortedRequest<TraceSort>>,
    index: string,
  ): Case => {
    const none = {
      projectId,
      startUs: null,
      endUs: null,
      sessionIds: null,
      traceIds: null,
      error: null,
      minLatencyUs: null,
      maxLatencyUs: null,
      filter: null,
    };
    const request = { sort: "startTime", order: "desc", start: null, limit: 100, ...rows } as const;
    const run = (context: CallContext) => traceList.list(context, { ...none, ...given }, request);
    return { name, indexes: [index], run };
  };
  const sessions = (name: string, sort: SessionSort, index: string): Case => ({
    name,
    indexes: [index],
    run: (context) =>
      sessionList.list(
        context,
        { projectId, range, filter: null },
        { sort, order: "desc", start: startAt(middle), limit: 100 },
      ),
  });
  const search = (
    name: string,
    kind: SearchedKind,
    period: object,
    after: typeof middle | null,
    index: string,
  ): Case => {
    const scope = { projectId, words: ["needle"], startUs: null, endUs: null, filter: null, ...period };
    return {
      name,
      indexes: [index],
      run: (context) => searching.readSlice(context, kind, scope, { after, size: 1000 }),
    };
  };
  const ofTrace = ["spans_by_key", "spans_by_trace_start", "spans_by_parent"];
  const traceKeys = [`t${hex(1)}`, `t${hex(777)}`];
  const spanKeys = [`s${hex(5)}`, `s${hex(4000)}`, "nope"];
  const old = { startUs: START_US + 100 * MINUTE_US, endUs: START_US + 200 * MINUTE_US };

  return [
    spans("spans by arrival", {}, {}, "spans_by_project"),
    spans("spans by arrival from a cursor", {}, { start: startAt(middle), order: "asc" }, "spans_by_project"),
    spans("spans of a kind", { kinds: ["CHAIN"], statuses: ["ERROR"] }, {}, "spans_by_project"),
    spans("spans of a name", { names: ["step 7"] }, { start: startAt(middle) }, "spans_by_project"),
    spans("spans without a parent", { parentKey: "null" }, {}, "spans_by_project"),
    spans("spans with an attribute", { attributes: ["a.b:1"] }, {}, "spans_by_project"),
    spans(
      "spans of a recent time",
      { startUs: START_US + (SPANS - 500) * MINUTE_US },
      {},
      "spans_by_project",
      "spans_by_start",
    ),
    spans("spans of an old time", old, {}, "spans_by_start"),
    spans("spans by start", {}, { sort: "startTime" }, "spans_by_start"),
    spans("spans by start from a cursor", {}, { sort: "startTime", start: startAt(middle) }, "spans_by_start"),
    spans("spans by start in a period", old, { sort: "startTime", order: "asc" }, "spans_by_start"),
    pages("spans that match", "metadata['tier'] == 'gold'", {}, "spans_by_start"),
    pages("root spans that match", "metadata['tier'] == 'gold'", { roots: "strict" }, "spans_by_start"),
    pages("spans that match twice", "metadata['tier'] == 'gold' and metadata['a'] == 'b'", old, "spans_by_start"),
    spans("spans of traces", { traceKeys }, {}, primary),
    spans("roots of traces", { traceKeys, parentKey: "null" }, { start: startAt(middle) }, primary),
    spans("spans of traces by start", { traceKeys }, { sort: "startTime" }, primary),
    spans("spans of traces by start in a period", { traceKeys, ...old }, { sort: "startTime" }, ...ofTrace),
    spans("spans by their ids", { spanKeys }, {}, ofKeys),
    spans("spans by their ids and start", { spanKeys }, { sort: "startTime" }, ofKeys),
    {
      name: "what annotations of a hundred spans hang on",
      run: (context) =>
        owners.listIn(
          context,
          targetKinds.span,
          projectId,
          Array.from({ length: 100 }, (_, number) => `s${hex(number * 7)}`),
        ),
      indexes: [ofKeys],
      alone: true,
    },
    spans("spans by both ids", { traceKeys, spanKeys }, {}, ...ofTrace),
    {
      name: "a span by its id",
      run: (context) => lookup.findNewest(context, spanKeys[0]!),
      indexes: [ofKeys],
    },
    {
      name: "ids that are taken",
      run: (context) => lookup.findTaken(context, spanKeys),
      indexes: [ofKeys],
    },
    { name: "payloads", run: (context) => payloads.read(context, [1, 500, 9000]), indexes: [primary] },

    traces("traces by start", {}, {}, "traces_by_start"),
    traces("traces by start from a cursor", {}, { start: startAt(middle), order: "asc" }, "traces_by_start"),
    traces("traces by start behind a cursor", {}, { start: startBehind(middle) }, "traces_by_start"),
    traces(
      "traces by latency behind a cursor",
      {},
      { sort: "latencyMs", start: startBehind(middle) },
      "traces_by_latency",
    ),
    traces("traces of a period", old, {}, "traces_by_start"),
    traces("traces by latency", {}, { sort: "latencyMs" }, "traces_by_latency"),
    traces(
      "traces by latency from a cursor",
      {},
      { sort: "latencyMs", start: startAt({ value: 5000, rowId: 7 }) },
      "traces_by_latency",
    ),
    traces("long traces", { minLatencyUs: 900_000 }, { sort: "latencyMs" }, "traces_by_latency"),
    traces("traces with errors", { error: true }, {}, "traces_with_errors"),
    traces("traces of sessions", { sessionIds: [3, 4] }, {}, "traces_by_session"),
    traces("traces of sessions by latency", { sessionIds: [3] }, { sort: "latencyMs" }, "traces_by_session"),
    {
      name: "spans in the list of their traces",
      run: (context) => traceRows.listSpans(context, [3, 4], "short"),
      indexes: ofTrace,
    },
    {
      name: "traces by their ids",
      run: (context) => traceRows.find(context, { traceKeys }),
      indexes: ["trace_key", "sqlite_autoindex_traces_1"],
    },

    sessions("sessions by arrival", "arrival", "sessions_by_project"),
    sessions("sessions by start", "startTime", "sessions_by_start"),
    sessions("sessions by end", "endTime", "sessions_by_end"),
    {
      name: "traces in the list of their sessions",
      run: (context) => sessionRows.listTraces(context, [3, 4]),
      indexes: ["traces_by_session"],
    },

    search("a slice of a search", "spans", {}, null, "spans_by_start"),
    search("a slice of a search from its place", "spans", {}, middle, "spans_by_start"),
    search("a slice of a search in a period", "spans", old, null, "spans_by_start"),
    search("a slice of a search of traces", "traces", {}, null, "traces_by_start"),
    search("a slice of a search of traces from its place", "traces", old, middle, "traces_by_start"),
    {
      name: "the bounds of a search",
      run: (context) => searching.findBounds(context, "spans", projectId),
      indexes: ["spans_by_start"],
    },
    {
      name: "where a text stands",
      run: (context) => searching.findPlaces(context, [1, 500, 9000], "needle"),
      indexes: [primary],
    },

    {
      name: "traces of a period to delete",
      run: (context) => toDelete.listTraces(context, { projectId, period: old }, { upTo: SPANS, limit: 500 }),
      indexes: ["traces_by_start", "traces_with_errors"],
    },
    {
      name: "traces of a session to delete",
      run: (context) => toDelete.listTraces(context, { sessionId: 3 }, { upTo: SPANS, limit: 500 }),
      indexes: ["traces_by_session"],
    },
    { name: "spans to delete", run: (context) => doomed.spanIds(context, [3, 4]), indexes: ofTrace },
    {
      name: "the earliest spans of a trace",
      run: (context) => doomedSpans.listEarliest(context, 3, 500),
      indexes: ["spans_by_trace_start"],
    },
    {
      name: "what is above a span",
      run: (context) => doomedSpans.listAncestors(context, 3, `s${hex(9)}`, 100),
      indexes: ["spans_by_key"],
    },
  ];
}

forEachDriver("query plans", (driver) => {
  let store: TestStorage;
  let plans: QueryPlans;
  let cases: Case[];
  beforeAll(async () => {
    store = await openTestStorage(await driver.createDatabase());
    await fill(store);
    plans = openQueryPlans(store);
    const { id } = await store.storage.handle
      .read(store.context(), "short")
      .selectFrom("projects")
      .select("id")
      .where("name", "=", "large")
      .executeTakeFirstOrThrow();
    cases = casesOf(store, id);
  }, 60_000);
  afterAll(async () => {
    await plans.close();
    await store.close();
  });

  async function wrongPlans(often = false): Promise<string[]> {
    const wrong: string[] = [];
    for (const { name, run, indexes, walks, alone } of cases) {
      const made = await plans.plansOf(run, often);
      for (const plan of made) if (fullScans(plan).length > 0) wrong.push(`${name} reads a whole table:\n${plan}`);
      const last = made.at(-1);
      if (last === undefined) continue;
      const [ofList] = last.split("SubPlan");
      if (walks === true && /(^|-> +)Sort {2}\(/m.test(ofList!)) wrong.push(`${name} sorts every match:\n${last}`);
      if (alone === true && /Index Cond: .*\bproject_id\b/.test(last)) wrong.push(`${name} reads a project:\n${last}`);
      if (!indexes.some((index) => last.includes(index)))
        wrong.push(`${name} is not on ${indexes.join(" or ")}:\n${last}`);
    }
    return wrong;
  }

  describe("every list is on its index", () => {
    // PostgreSQL counts by itself soon after rows arrive; without any numbers its plans say nothing.
    if (driver.name === "sqlite") {
      test("before the rows were counted", async () => {
        expect(await wrongPlans()).toEqual([]);
      });
    }

    test("after the rows were counted", async () => {
      await plans.analyze();
      expect(await wrongPlans()).toEqual([]);
    });

    if (driver.name === "postgres") {
      test("after they were asked for often, with so many projects that any one seems small", async () => {
        const tiny = Array.from({ length: 300 }, (_, number) =>
          incomingSpan({ projectName: `tiny ${number}`, traceKey: `tiny ${number}`, spanKey: `tiny ${number}` }),
        );
        await ingestBatch(store.ingest, tiny);
        await plans.analyze();
        expect(await wrongPlans()).toEqual([]);
        expect(await wrongPlans(true)).toEqual([]);
      });
    }
  });
});
