// The comparison of two traces over REST and in GraphQL, and the last good one that a failed trace is compared with.

import { beforeAll, expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import type { IncomingSpan } from "../../src/model/span.ts";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData } from "../support/graphql.ts";
import { testPrices } from "../support/prices.ts";
import { incomingSpan, START_US } from "../support/spans.ts";
import { openForSuite } from "../support/suite.ts";

const SECOND_US = 1_000_000;

interface TraceGiven {
  readonly key: string;
  /** Seconds after the start of all. */
  readonly at: number;
  readonly project?: string;
  readonly answer?: string;
  readonly temperature?: number;
  readonly version?: string;
  readonly tools?: readonly string[];
  readonly failed?: boolean;
}

/** An agent that calls tools one after the other and answers. */
function traceOf({
  key,
  at,
  project = "compared",
  answer = "ok",
  temperature = 0,
  version = "v11",
  tools = ["look", "check"],
  failed,
}: TraceGiven) {
  const given = { projectName: project, traceKey: key };
  const startUs = START_US + at * SECOND_US;
  const steps = tools.map((name, number) =>
    incomingSpan({
      ...{ ...given, spanKey: `${key} ${name} ${number}`, parentKey: `${key} agent`, kind: "TOOL", name },
      ...{ startUs: startUs + number * SECOND_US, endUs: startUs + (number + 1) * SECOND_US },
      attributes: JSON.stringify({ input: { value: `{"tool": "${name}"}` }, output: { value: "found" } }),
    }),
  );
  const last = tools.length;
  const model = incomingSpan({
    ...{ ...given, spanKey: `${key} answer`, parentKey: `${key} agent`, kind: "LLM", name: "answer", model: "known" },
    ...{ promptTokens: 10 + at, completionTokens: 1 },
    ...{ startUs: startUs + last * SECOND_US, endUs: startUs + (last + 1 + temperature) * SECOND_US },
    status: failed ? "ERROR" : "OK",
    attributes: JSON.stringify({
      input: { value: "question" },
      output: { value: answer },
      llm: { invocation_parameters: JSON.stringify({ seed: 1, temperature }), prompt_template: { version } },
    }),
  } as Partial<IncomingSpan>);
  const end = startUs + (last + 2) * SECOND_US;
  return [
    incomingSpan({ ...given, spanKey: `${key} agent`, kind: "AGENT", name: "agent", startUs, endUs: end }),
    ...steps,
    model,
  ];
}

forEachDriver("the comparison of two traces", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  beforeAll(async () => {
    await ingestBatch(
      api.stored.ingest,
      [
        ...traceOf({ key: "first", at: 0 }),
        ...traceOf({
          key: "second",
          at: 1,
          answer: "other",
          temperature: 1,
          version: "v12",
          tools: ["look", "policy", "check"],
        }),
        ...traceOf({ key: "elsewhere", at: 2, project: "elsewhere" }),
      ],
      testPrices,
    );
  });

  const compare = async (first: string, second: string) => {
    const response = await send(api.server, `GET /v1/projects/compared/traces/${first}/comparison?with=${second}`);
    const text = await response.text();
    return { status: response.status, text, data: response.status === 200 ? JSON.parse(text).data : null };
  };
  interface Step {
    readonly edit: string;
    readonly changes: readonly string[];
    readonly first: { readonly name: string } | null;
    readonly second: { readonly name: string } | null;
  }
  const inWords = (steps: readonly Step[]) =>
    steps.map(({ edit, changes, first, second }) => `${edit} ${(first ?? second)!.name} ${changes.join(" ")}`.trim());

  test("pairs the steps and names what changed", async () => {
    const { data } = await compare("first", "second");
    expect(inWords(data.steps)).toEqual([
      "equal agent",
      "equal look",
      "inserted policy",
      "equal check",
      "changed answer output parameters prompt_version",
    ]);
    expect(data.step_counts).toEqual({ equal: 3, changed: 1, renamed: 0, moved: 0, removed: 0, inserted: 1 });
    expect(data.latency_ms).toBe(1000);
    const [, , inserted, , changed] = data.steps;
    expect(inserted).toMatchObject({ first: null, latency_ms: null, second: { start_ms: 1000, latency_ms: 1000 } });
    expect(changed).toMatchObject({
      latency_ms: 1000,
      token_count_total: 1,
      first: { token_count_total: 11, start_ms: 2000 },
    });
    expect(changed.cost).toBeCloseTo(changed.second.cost - changed.first.cost, 15);
    expect(inWords((await compare("second", "first")).data.steps)).toContain("removed policy");
    expect((await compare("first", "elsewhere")).data.step_counts).toMatchObject({ equal: 4, changed: 0 });
    for (const [first, second] of [
      ["first", "none"],
      ["none", "first"],
      ["elsewhere", "first"],
    ] as const)
      expect((await compare(first, second)).status).toBe(404);
  });

  test("is the same in GraphQL", async () => {
    const { id } = (
      await askData<{ second: { id: string } }>(api, `{ second: getTraceByOtelId(traceId: "second") { id } }`)
    ).second;
    const side = `{ spanNodeId name spanKind failed depth startMs latencyMs modelName tokens cost }`;
    const { trace } = await askData<{
      trace: { comparison: { first: object; second: object; steps: readonly Step[] } };
    }>(
      api,
      `query ($with: ID!) { trace: getTraceByOtelId(traceId: "first") { comparison(with: $with) { first { traceId } second { traceId }
        steps { edit changes latencyDifferenceMs tokenDifference costDifference first ${side} second ${side} } } } }`,
      { with: id },
    );
    const { first, second, steps } = trace.comparison;
    expect([first, second]).toEqual([{ traceId: "first" }, { traceId: "second" }]);
    expect(inWords(steps).map((words) => words.toLowerCase())).toEqual(
      inWords((await compare("first", "second")).data.steps),
    );
    expect(steps[2]).toMatchObject({ first: null, second: { depth: 1, spanKind: "tool", startMs: 1000 } });
    expect(steps.at(-1)).toMatchObject({ latencyDifferenceMs: 1000, tokenDifference: 1 });
  });

  test("finds the last good trace with the same pattern, else with the same first step", async () => {
    const good = async (key: string) =>
      (
        await askData<{ trace: { lastGoodTrace: unknown } }>(
          api,
          `{ trace: getTraceByOtelId(traceId: "${key}") { lastGoodTrace { hasSamePattern trace { traceId } } } }`,
        )
      ).trace.lastGoodTrace;
    await ingestBatch(
      api.stored.ingest,
      [
        ...traceOf({ key: "failed before", at: 10, failed: true }),
        ...traceOf({ key: "failed", at: 20, tools: ["look", "look", "look", "check"], failed: true }),
        ...traceOf({ key: "stopped", at: 21, tools: ["look"], failed: true }),
        ...traceOf({ key: "later", at: 30 }),
      ],
      testPrices,
    );
    // Repeated steps are one of the pattern; what failed, and what came later, is not looked at.
    expect(await good("failed")).toEqual({ hasSamePattern: true, trace: { traceId: "first" } });
    expect(await good("stopped")).toEqual({ hasSamePattern: false, trace: { traceId: "second" } });
    expect(await good("elsewhere")).toBeNull();
    const together = ["failed", "stopped", "elsewhere", "later"].map(
      (key, at) => `t${at}: getTraceByOtelId(traceId: "${key}") { lastGoodTrace { hasSamePattern trace { traceId } } }`,
    );
    expect(await askData<object>(api, `{ ${together.join(" ")} }`)).toEqual({
      t0: { lastGoodTrace: { hasSamePattern: true, trace: { traceId: "first" } } },
      t1: { lastGoodTrace: { hasSamePattern: false, trace: { traceId: "second" } } },
      t2: { lastGoodTrace: null },
      t3: { lastGoodTrace: { hasSamePattern: true, trace: { traceId: "first" } } },
    });
  });
});
