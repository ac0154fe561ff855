// The graphs of the agents of a trace over REST and in GraphQL.

import { beforeAll, expect, test } from "bun:test";
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
  });

  interface Graph {
    readonly name: string;
    readonly nodes: readonly { readonly key: string; readonly column: number; readonly span_count: number }[];
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
        nodes { key span_kind: spanKind name column graph ${figures} }
        edges { from to times is_back: isBack ${figures} } } } }`,
    );
    const spelled = JSON.parse(JSON.stringify(trace.graphs), (name, value) =>
      name === "span_kind" ? value.toUpperCase() : value,
    );
    expect(spelled).toEqual((await ask("loop")).graphs as never);
  });
});
