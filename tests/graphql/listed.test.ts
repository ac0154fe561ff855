// The numbers beside a list are those of the list: each value of a facet leads, by the condition that its click writes, to as many
// rows as it counts, under any filter and search, on both databases.

import { beforeAll, describe, expect, test } from "bun:test";
import { createTraceFacetsStore } from "../../src/modules/tracing/traces/list/trace-facets.store.ts";
import {
  bandFacet,
  type Facet,
  failureFacet,
  latencyBands,
  latencyFacet,
  traceStatusFacet,
} from "../../src/web/explorer/facets.ts";
import { spanFacets, traceFacets } from "../../src/web/pages/traces/facet-conditions.ts";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { instantOf, spanIdOf, traceIdOf } from "../support/search-data.ts";
import { openForSuite } from "../support/suite.ts";

const TRACES = 24;
const kinds = ["LLM", "TOOL", "RETRIEVER", "CHAIN"];
/** Beyond what is counted of a text. */
const LONG = "a name that goes on 🎉 ".repeat(12);
const users = ["ana.lopez", "it's me", null, "Zoë"];

/** A root and, below it, spans of several kinds and names; some names stand more than once in a trace. */
function spansOf(at: number) {
  const span = (name: string, kind: string, minute: number, given: object = {}) => ({
    name,
    context: { trace_id: traceIdOf(`t${at}`), span_id: spanIdOf(`${at} ${name} ${minute}`) },
    parent_id: spanIdOf(`${at} answer ${at * 10}`),
    span_kind: kind,
    start_time: instantOf(minute),
    end_time: instantOf(minute + (at % 5)),
    status_code: at % 6 === 0 && kind === "TOOL" ? "ERROR" : "OK",
    status_message: "",
    attributes: {},
    ...given,
  });
  const user = users[at % users.length];
  return [
    span("answer", "AGENT", at * 10, {
      parent_id: null,
      attributes: {
        "input.value": at % 3 === 0 ? `where is Parcel ${at}` : `question ${at}`,
        ...(user === null ? {} : { "user.id": user }),
        "session.id": `session ${at % 5}`,
      },
    }),
    ...Array.from({ length: at % 4 }, (_, number) =>
      span(number === 2 ? LONG : `step ${number % 2}`, kinds[(at + number) % kinds.length]!, at * 10 + number + 1, {
        attributes: {
          "output.value": number === 1 ? "a parcel" : "nothing",
          ...(number === 0 ? { "llm.model_name": at % 2 ? "gpt-4o" : "claude" } : {}),
          // Someone else below the root is not the user of the trace.
          "user.id": "somebody below",
        },
      }),
    ),
  ];
}

const FACETS = `complete countedTraces kinds { value count } names { value count } users { value count }`;
const listedTraces = `query ($range: TimeRange, $condition: String, $text: String) {
  project: getProjectByName(name: "listed") {
    listed: listedTraces(timeRange: $range, filterCondition: $condition, text: $text) {
      progress { complete } figures { count errorCount latencyMsP50 tokenCountTotal }
      facets { ${FACETS} } series(timeRange: $range, timeBinConfig: { scale: HOUR }) { totalCount errorCount }
    }
  }
}`;
const listedSpans = `query ($range: TimeRange, $condition: String, $text: String) {
  project: getProjectByName(name: "listed") {
    listed: listedSpans(timeRange: $range, filterCondition: $condition, text: $text) {
      progress { complete } figures { count errorCount latencyMsP50 tokenCountTotal }
      facets {
        statuses { value count } kinds { value count } models { value count } names { value count } users { value count }
        latencies { minMs maxMs count }
      }
      series(timeRange: $range, timeBinConfig: { scale: HOUR }) { totalCount errorCount }
    }
  }
}`;

interface Counted {
  readonly value: string;
  readonly count: number;
}
interface Listed {
  readonly progress: { readonly complete: boolean } | null;
  readonly figures: { readonly count: number; readonly errorCount: number };
  readonly series: readonly { readonly totalCount: number; readonly errorCount: number }[];
}
interface ListedTraces extends Listed {
  readonly facets: Readonly<Record<"kinds" | "names" | "users", readonly Counted[]>> & {
    readonly complete: boolean;
    readonly countedTraces: number;
  };
}
interface ListedSpans extends Listed {
  readonly facets: Readonly<Record<"statuses" | "kinds" | "models" | "names" | "users", readonly Counted[]>> & {
    readonly latencies: readonly { readonly minMs: number; readonly maxMs: number | null; readonly count: number }[];
  };
}

type Bands = readonly { readonly min: number; readonly max: number | null; readonly count: number }[];
interface SessionCounts {
  readonly count: number;
  readonly errorCount: number;
  readonly turns: Bands;
  readonly durations: Bands;
}

const everything = { start: instantOf(0), end: instantOf(10_000) };
const cases: readonly (readonly [
  name: string,
  given: { range?: object; text?: string },
  traces: string,
  spans: string,
])[] = [
  ["no filter", {}, "", ""],
  ["a range", { range: { start: instantOf(33), end: instantOf(171) } }, "", ""],
  ["a filter", {}, "num_spans > 2", "latency_ms > 60000"],
  ["a search", { text: "PARCEL" }, "", ""],
  [
    "a search with range and filter",
    { text: "parcel", range: { start: instantOf(15), end: instantOf(200) } },
    "any(s.span_kind == 'TOOL' for s in spans)",
    "span_kind in ['TOOL', 'AGENT', 'LLM']",
  ],
  ["a filter that nothing matches", {}, "num_spans > 200", "name == 'nobody'"],
];

forEachDriver("what stands beside a list", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  beforeAll(async () => {
    const data = Array.from({ length: TRACES }, (_, at) => spansOf(at)).flat();
    const response = await send(api.server, "POST /v1/projects/listed/spans", { json: { data } });
    expect(response.status).toBe(202);
  });

  type Given = { readonly range?: object; readonly text?: string };

  /** Rows of the list. */
  async function rowsOf(kind: "traces" | "spans", { range, text }: Given, condition: string): Promise<number> {
    const searched = text === undefined ? "" : kind === "traces" ? "searchTraces" : "searchSpans";
    const { project } = await askData<{ project: { list: { edges: unknown[] } } }>(
      api,
      `query ($range: TimeRange, $condition: String${searched ? ", $text: String!" : ""}) {
        project: getProjectByName(name: "listed") {
          list: ${searched || kind}(first: 1000, timeRange: $range, filterCondition: $condition${searched ? ", text: $text" : ""}) {
            edges { node { id } }
          }
        }
      }`,
      { range: range ?? everything, condition, text },
    );
    return project.list.edges.length;
  }

  const ask = async <Answer>(query: string, given: Given, condition: string): Promise<Answer> => {
    const variables = { range: given.range ?? everything, condition, text: given.text };
    return (await askData<{ project: { listed: Answer } }>(api, query, variables)).project.listed;
  };

  async function clicks(
    kind: "traces" | "spans",
    given: Given,
    condition: string,
    groups: readonly (readonly [Facet, readonly Counted[]])[],
  ): Promise<number> {
    let clicked = 0;
    for (const [facet, values] of groups) {
      for (const { value, count } of values) {
        // What is asked for already is taken back by a click: there the count is that of the list.
        const chosen = facet.stateOf(condition, value) === "included";
        const rows = await rowsOf(kind, given, chosen ? condition : facet.toggle(condition, value, "included"));
        expect([value, rows]).toEqual([value, count]);
        clicked++;
      }
    }
    return clicked;
  }

  describe.each(cases)("with %s", (name, given, traceCondition, spanCondition) => {
    test("counts traces", async () => {
      const { progress, figures, facets, series } = await ask<ListedTraces>(listedTraces, given, traceCondition);
      expect(progress?.complete ?? true).toBe(true);
      expect(progress === null).toBe(given.text === undefined);
      expect(figures.count).toBe(await rowsOf("traces", given, traceCondition));
      expect(figures.errorCount).toBe(
        await rowsOf("traces", given, traceStatusFacet.toggle(traceCondition, "error", "included")),
      );
      expect(series.reduce((sum, { totalCount }) => sum + totalCount, 0)).toBe(figures.count);
      expect(series.reduce((sum, { errorCount }) => sum + errorCount, 0)).toBe(figures.errorCount);
      expect(facets).toMatchObject({ complete: true, countedTraces: figures.count });
      const clicked = await clicks("traces", given, traceCondition, [
        [traceFacets.kind, facets.kinds],
        [traceFacets.name, facets.names],
        [traceFacets.user, facets.users],
      ]);
      expect(clicked > 5).toBe(!name.includes("nothing"));
      expect(facets.users.map(({ value }) => value)).not.toContain("somebody below");
    });

    test("counts spans", async () => {
      const { progress, figures, facets, series } = await ask<ListedSpans>(listedSpans, given, spanCondition);
      expect(progress?.complete ?? true).toBe(true);
      expect(figures.count).toBe(await rowsOf("spans", given, spanCondition));
      expect(figures.errorCount).toBe(facets.statuses.find(({ value }) => value === "ERROR")?.count ?? 0);
      expect(series.reduce((sum, { totalCount }) => sum + totalCount, 0)).toBe(figures.count);
      expect(series.reduce((sum, { errorCount }) => sum + errorCount, 0)).toBe(figures.errorCount);
      const bands = latencyBands.map(({ value, lowMs, highMs }) => {
        const within = facets.latencies.filter(({ minMs }) => minMs >= lowMs && minMs < (highMs ?? Number.MAX_VALUE));
        return { value, count: within.reduce((sum, { count }) => sum + count, 0) };
      });
      const clicked = await clicks("spans", given, spanCondition, [
        [spanFacets.status, facets.statuses],
        [spanFacets.name, facets.names],
        [spanFacets.user, facets.users],
        [spanFacets.model, facets.models],
        [latencyFacet, bands],
        ...(spanCondition.includes("span_kind") ? [] : [[spanFacets.kind, facets.kinds] as const]),
      ]);
      expect(clicked).toBeGreaterThan(4);
    });
  });

  test("of many traces counts the newest, and says so", async () => {
    const store = createTraceFacetsStore(api.stored.storage.dialect);
    const [project] = await api.stored.storage.handle
      .read(api.stored.context(), "short")
      .selectFrom("projects")
      .select("id")
      .where("name", "=", "listed")
      .execute();
    const none = { startUs: null, endUs: null, error: null, minLatencyUs: null, maxLatencyUs: null };
    const scope = { ...none, projectId: project!.id, sessionIds: null, traceIds: null, filter: null };
    const count = (traces: number, spans: number) => store.count(api.stored.context(), scope, { traces, spans });
    const agents = ({ values }: Awaited<ReturnType<typeof count>>) =>
      values.kind.find(({ value }) => value === "AGENT")?.count;
    expect(await count(TRACES, 1000)).toMatchObject({ complete: true, countedTraces: TRACES });
    const fewer = await count(TRACES - 1, 1000);
    expect(fewer).toMatchObject({ complete: false, countedTraces: TRACES - 1 });
    expect(agents(fewer)).toBe(TRACES - 1);
    // The newest have 4, 3, 2, 1 and again 4 spans: the trace that goes beyond is the last.
    expect(await count(TRACES, 4)).toMatchObject({ complete: false, countedTraces: 1 });
    expect(await count(TRACES, 5)).toMatchObject({ complete: false, countedTraces: 2 });
    expect(await count(TRACES, 11)).toMatchObject({ complete: false, countedTraces: 5 });
  });

  test("counts the turns of the sessions that match", async () => {
    const series = (condition: string) => `query ($range: TimeRange!) { project: getProjectByName(name: "listed") {
      turns: sessionTurnTimeSeries(timeRange: $range, sessionFilterCondition: ${JSON.stringify(condition)}) {
        data { totalCount errorCount } } } }`;
    const sum = async (condition: string) => {
      const { project } = await askData<{ project: { turns: { data: { totalCount: number }[] } } }>(
        api,
        series(condition),
        { range: everything },
      );
      return project.turns.data.reduce((total, { totalCount }) => total + totalCount, 0);
    };
    expect(await sum("")).toBe(TRACES);
    expect(await sum("session_id == 'session 2'")).toBe(5);
    expect(await sum("session_id == 'session 2' and num_traces > 5")).toBe(0);
  });

  test.each(["", "num_traces > 4", "'parcel 6' in any_input", "num_traces > 40"])(
    "counts sessions with '%s'",
    async (given) => {
      const { project } = await askData<{ project: { facets: SessionCounts | null } }>(
        api,
        `query ($range: TimeRange, $condition: String) { project: getProjectByName(name: "listed") {
        facets: sessionFacets(timeRange: $range, sessionFilterCondition: $condition) {
          count errorCount turns { min max count } durations { min max count } } } }`,
        { range: everything, condition: given },
      );
      const list = async (condition: string) => {
        const answer = await askData<{ project: { sessions: { edges: unknown[] } } }>(
          api,
          `query ($range: TimeRange, $condition: String) { project: getProjectByName(name: "listed") {
          sessions(first: 100, timeRange: $range, sessionFilterCondition: $condition) { edges { node { id } } } } }`,
          { range: everything, condition },
        );
        return answer.project.sessions.edges.length;
      };
      const { count, errorCount, turns, durations } = project.facets ?? {
        count: 0,
        errorCount: 0,
        turns: [],
        durations: [],
      };
      expect(count).toBe(await list(given));
      expect(errorCount).toBe(await list(failureFacet("num_traces_with_error").toggle(given, "error", "included")));
      for (const [field, bands] of [
        ["num_traces", turns],
        ["duration_ms", durations],
      ] as const) {
        for (const { min, max, count: inBand } of bands) {
          const condition = bandFacet(field).toggle(given, `${min}-${max ?? ""}`, "included");
          expect([field, min, await list(condition)]).toEqual([field, min, inBand]);
        }
      }
    },
  );

  test("refuses what the list refuses", async () => {
    const refused = `{ getProjectByName(name: "listed") { listedTraces(filterCondition: "num_spans >") { figures { count } } } }`;
    expect(await askRefusal(api, refused)).toContain("invalid syntax");
    const many = `{ getProjectByName(name: "listed") { listedTraces { facets { kinds(first: 0) { value } } } } }`;
    expect(await askRefusal(api, many)).toContain("first: must be from 1 to 1000");
  });
});
