// The graphs of the agents of a trace and of many over REST and in GraphQL.
import { beforeAll, describe, expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import type { IncomingSpan } from "../../src/model/span.ts";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData } from "../support/graphql.ts";
import { incomingSpan, START_US } from "../support/spans.ts";
import { openForSuite } from "../support/suite.ts";

const SECOND_US = 1_000_000;

function step(key: string, parent: string | null, from: number, to: number, more: Partial<IncomingSpan> = {}) {
  return incomingSpan({
    ...{
      projectName: "drawn",
      traceKey: "loop",
      spanKey: key,
      parentKey: parent,
      name: key.replace(/ \d$/, ""),
      kind: "TOOL",
    },
    ...{ startUs: START_US + from * SECOND_US, endUs: START_US + to * SECOND_US },
    ...more,
  });
}

const named = (id: string, parent: string | null) => ({
  traceKey: "named",
  attributes: JSON.stringify({
    graph: { node: { id, name: id.toUpperCase(), ...(parent === null ? {} : { parent_id: parent }) } },
  }),
});

forEachDriver("the graphs of agents", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  beforeAll(async () => {
    await ingestBatch(api.stored.ingest, [
      step("agent", null, 0, 9, { kind: "AGENT" }),
      // Its steps are those of the agent.
      step("chain", "agent", 0, 8, { kind: "CHAIN" }),
      step("think 1", "chain", 0, 1, { kind: "LLM" }),
      step("look 1", "chain", 1, 2),
      step("search 1", "chain", 1, 3, { status: "ERROR" }),
      step("think 2", "chain", 3, 4, { kind: "LLM" }),
      step("look 2", "chain", 4, 8),
      step("crew", null, 0, 4, { traceKey: "named", kind: "AGENT" }),
      step("one", "crew", 0, 1, named("plan", null)),
      step("two", "crew", 1, 2, named("write", "plan")),
      step("three", "crew", 2, 3, named("check", "plan")),
    ]);
    await ingestBatch(
      api.stored.ingest,
      // The newest trace is the longest one.
      [1, 2, 3].flatMap((trace) => {
        const of = { projectName: "many", traceKey: `many-${trace}` };
        const from = trace * 100;
        return [
          step(`agent ${trace}`, null, from, from + 2 + trace, { ...of, kind: "AGENT" }),
          step(`ask ${trace}`, `agent ${trace}`, from, from + 1, { ...of, kind: "LLM" }),
          step(`look ${trace}`, `agent ${trace}`, from + 1, from + 1 + trace, of),
          step(`say ${trace}`, `agent ${trace}`, from + 1 + trace, from + 2 + trace, {
            ...of,
            kind: "LLM",
            ...(trace === 2 ? { status: "ERROR" } : {}),
          }),
          ...(trace === 3
            ? [step("crew 3", "agent 3", from, from + 1, { ...of, ...named("crew", null), traceKey: of.traceKey })]
            : []),
        ];
      }),
    );
  });

  interface Graph {
    readonly name: string;
    readonly nodes: readonly {
      readonly key: string;
      readonly column: number;
      readonly span_count: number;
      readonly span_ids: readonly string[];
    }[];
    readonly edges: readonly {
      readonly from: string;
      readonly to: string;
      readonly times: number;
      readonly is_back: boolean;
    }[];
  }
  const ask = async (key: string) => {
    const response = await send(api.server, `GET /v1/projects/drawn/traces/${key}/agent_graphs`);
    return {
      status: response.status,
      graphs: response.status === 200 ? ((await response.json()).data.graphs as Graph[]) : [],
    };
  };
  const edges = (graph: Graph) =>
    graph.edges.map(({ from, to, times, is_back }) => `${from} ${is_back ? "<-" : "->"} ${to} ${times}`).sort();

  test("put what ran side by side in one column, and count the way back", async () => {
    const [graph, ...others] = (await ask("loop")).graphs;
    expect(others).toEqual([]);
    expect(graph).toMatchObject({ key: "AGENT:agent", is_agent: true, run_count: 1 });
    expect(graph!.nodes.map(({ key, column }) => `${column} ${key}`)).toEqual([
      "1 LLM:think",
      "2 TOOL:look",
      "2 TOOL:search",
    ]);
    expect(edges(graph!)).toEqual([
      "LLM:think -> TOOL:look 2",
      "LLM:think -> TOOL:search 1",
      "TOOL:look <- LLM:think 1",
      "TOOL:search <- LLM:think 1",
      "start -> LLM:think 1",
    ]);
    const node = (key: string) => graph!.nodes.find((each) => each.key === key);
    expect(node("TOOL:look")).toMatchObject({ span_count: 2, error_count: 0, latency_ms_p50: 1000 });
    expect(node("TOOL:search")).toMatchObject({ span_count: 1, error_count: 1, latency_ms_p50: 2000 });
  });

  test("take the edges that the program names", async () => {
    const [graph] = (await ask("named")).graphs;
    expect(edges(graph!)).toEqual(["plan -> check 1", "plan -> write 1", "start -> plan 1"]);
    expect((await ask("none")).status).toBe(404);
  });

  test("are the same in GraphQL", async () => {
    const figures = "span_count: spanCount error_count: errorCount cost latency_ms_p50: latencyMsP50";
    const { trace } = await askData<{ trace: { graphs: object[] } }>(
      api,
      `{ trace: getTraceByOtelId(traceId: "loop") { graphs: agentGraphs { key span_kind: spanKind name is_agent: isAgent run_count: runCount
        node_count: nodeCount nodes { key span_kind: spanKind name column graph ${figures} }
        edges { from to times is_back: isBack ${figures} } } } }`,
    );
    const spelled = JSON.parse(JSON.stringify(trace.graphs), inCapitals);
    const withoutSpans = JSON.parse(JSON.stringify((await ask("loop")).graphs), (name, value) =>
      name === "span_ids" ? undefined : value,
    );
    expect(spelled).toEqual(withoutSpans);
  });

  test("name the spans of each node, by start", async () => {
    const [graph] = (await ask("loop")).graphs;
    expect(graph!.nodes.map(({ key, span_ids }) => [key, span_ids])).toEqual([
      ["LLM:think", ["think 1", "think 2"]],
      ["TOOL:look", ["look 1", "look 2"]],
      ["TOOL:search", ["search 1"]],
    ]);
    interface Found {
      readonly trace: {
        readonly spans: {
          readonly edges: readonly { readonly node: { readonly id: string; readonly spanId: string } }[];
        };
        readonly agentGraphs: readonly { readonly nodes: readonly { readonly spanNodeIds: readonly string[] }[] }[];
      };
    }
    const { trace } = await askData<Found>(
      api,
      `{ trace: getTraceByOtelId(traceId: "loop") { spans(first: 100) { edges { node { id spanId } } } agentGraphs { nodes { spanNodeIds } } } }`,
    );
    const keys = new Map(trace.spans.edges.map(({ node }) => [node.id, node.spanId]));
    expect(trace.agentGraphs[0]!.nodes.map(({ spanNodeIds }) => spanNodeIds.map((id) => keys.get(id)))).toEqual(
      graph!.nodes.map(({ span_ids }) => [...span_ids]),
    );
  });

  describe("of the traces of a project", () => {
    interface Analysis {
      readonly trace_count: number;
      readonly span_count: number;
      readonly is_complete: boolean;
      readonly duration_ms: number;
      readonly graphs: readonly (Graph & { readonly key: string; readonly run_count: number })[];
      readonly instant_steps: readonly {
        readonly name: string;
        readonly saved_ms: number;
        readonly trace_count: number;
      }[];
    }
    const analyse = async (query = "") => {
      const response = await send(api.server, `GET /v1/projects/many/trace_analysis${query}`);
      return {
        status: response.status,
        data: response.status === 200 ? ((await response.json()).data as Analysis) : null,
      };
    };

    test("are one, with the steps that would save most", async () => {
      const { trace_count, span_count, is_complete, duration_ms, graphs, instant_steps } = (await analyse()).data!;
      expect([trace_count, span_count, is_complete, duration_ms]).toEqual([3, 13, true, 12_000]);
      const [graph] = graphs;
      expect(graph).toMatchObject({ key: "AGENT:agent", run_count: 3 });
      expect(graph!.nodes.map(({ key, column, span_count: spans }) => `${column} ${key} ${spans}`)).toEqual([
        "1 LLM:ask 3",
        "1 crew 1",
        "2 TOOL:look 3",
        "3 LLM:say 3",
      ]);
      expect(edges(graph!)).toEqual([
        "LLM:ask -> TOOL:look 2",
        "TOOL:look -> LLM:say 2",
        "start -> LLM:ask 2",
        // What a program names makes the edges of its trace.
        "start -> crew 1",
      ]);
      expect(graph!.nodes.find(({ key }) => key === "LLM:say")).toMatchObject({ error_count: 1, latency_ms_p50: 1000 });
      expect(graph!.nodes.find(({ key }) => key === "TOOL:look")).toMatchObject({ latency_ms_p50: 2000 });
      expect(instant_steps.map(({ name, saved_ms, trace_count: traces }) => `${name} ${saved_ms} ${traces}`)).toEqual([
        "look 6000 3",
        "ask 3000 3",
        "say 3000 3",
      ]);
    });

    test("are those of what matches, in the range, and of the newest", async () => {
      const failed = (await analyse(`?filter=${encodeURIComponent("error_count > 0")}`)).data!;
      expect([failed.trace_count, failed.duration_ms]).toEqual([1, 4000]);
      const newest = (await analyse("?limit=2")).data!;
      expect([newest.trace_count, newest.is_complete, newest.duration_ms]).toEqual([2, false, 9000]);
      const before = new Date((START_US + 150 * SECOND_US) / 1000).toISOString();
      expect((await analyse(`?end_time=${before}`)).data!.duration_ms).toBe(3000);
      expect((await analyse(`?filter=${encodeURIComponent("error_count > 7")}`)).data).toMatchObject({
        ...{ trace_count: 0, is_complete: true, graphs: [], instant_steps: [] },
      });
      expect((await analyse("?filter=%3D")).status).toBe(400);
      expect((await analyse("?limit=10001")).status).toBe(422);
    });

    test("are the same in GraphQL", async () => {
      const figures = "span_count: spanCount error_count: errorCount cost latency_ms_p50: latencyMsP50";
      const { projects } = await askData<{
        projects: { edges: readonly { node: { name: string; analysis: object } }[] };
      }>(
        api,
        `{ projects { edges { node { name analysis: traceAnalysis {
          trace_count: traceCount span_count: spanCount is_complete: isComplete duration_ms: durationMs
          graphs: agentGraphs { key span_kind: spanKind name is_agent: isAgent run_count: runCount node_count: nodeCount
            nodes { key span_kind: spanKind name column graph ${figures} }
            edges { from to times is_back: isBack ${figures} } }
          instant_steps: instantSteps { span_kind: spanKind name trace_count: traceCount span_count: spanCount saved_ms: savedMs }
        } } } } }`,
      );
      const { node } = projects.edges.find(({ node: { name } }) => name === "many")!;
      const spelled = JSON.parse(JSON.stringify(node.analysis), inCapitals);
      expect(spelled).toEqual((await analyse()).data as never);
    });
  });
});

/** Kinds of spans are words of GraphQL in small letters. */
function inCapitals(name: string, value: unknown): unknown {
  return name === "span_kind" ? String(value).toUpperCase() : value;
}
