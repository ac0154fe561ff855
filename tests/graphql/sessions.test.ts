// What the pages ask of sessions beside the contract: one session by either id, counts of all kinds at once, the steps of a turn
// that matter; and the ends of sessions, on both databases.

import { beforeAll, expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { globalId } from "../../src/kernel/ids.ts";
import type { SpanKind, SpanStatus } from "../../src/model/span.ts";
import { openTestApi } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData } from "../support/graphql.ts";
import { incomingSpan, START_US } from "../support/spans.ts";
import { openForSuite } from "../support/suite.ts";

const SECOND_US = 1_000_000;

interface Turn {
  readonly session: string;
  readonly key: string;
  readonly atSeconds: number;
  readonly failed?: boolean;
  readonly project?: string;
  /** Without one its root never arrived. */
  readonly root?: boolean;
}

const turns: readonly Turn[] = [
  { session: "long talk", key: "a", atSeconds: 0 },
  { session: "long talk", key: "b", atSeconds: 200, failed: true },
  { session: "long talk", key: "c", atSeconds: 100 },
  { session: "short talk", key: "d", atSeconds: 50 },
  { session: "rootless talk", key: "e", atSeconds: 60, root: false },
  { session: "elsewhere", key: "f", atSeconds: 10, project: "other" },
  { session: "elsewhere", key: "g", atSeconds: 20 },
  { session: "far away", key: "h", atSeconds: 20, project: "other" },
];

const steps: readonly (readonly [name: string, kind: SpanKind, status?: SpanStatus])[] = [
  ["plan", "CHAIN"],
  ["ask", "LLM"],
  ["look up", "TOOL"],
  ["wrap", "CHAIN"],
  ["answer", "LLM"],
  ["delegate", "AGENT"],
  ["layer", "UNKNOWN"],
];

function spansOf({ session, key, atSeconds, failed = false, project = "talks", root = true }: Turn) {
  const startUs = START_US + atSeconds * SECOND_US;
  const common = { projectName: project, traceKey: key, sessionKey: session };
  const top = incomingSpan({
    ...common,
    spanKey: `${key}-root`,
    name: "agent",
    kind: "AGENT",
    startUs,
    endUs: startUs + SECOND_US,
    inputHead: `question ${key}`,
    outputHead: `answer ${key}`,
  });
  const below = steps.map(([name, kind], at) =>
    incomingSpan({
      ...common,
      spanKey: `${key}-${at}`,
      parentKey: `${key}-root`,
      name,
      kind,
      status: failed && name === "wrap" ? "ERROR" : "OK",
      // Someone is named only in the middle of the second turn.
      userKey: key === "c" && name === "look up" ? "ada" : null,
      startUs: startUs + at * 1000,
      endUs: startUs + at * 1000 + 500,
    }),
  );
  return root ? [...below, top] : below;
}

forEachDriver("GraphQL sessions", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  beforeAll(async () => {
    for (const turn of turns) await ingestBatch(api.stored.ingest, spansOf(turn));
  });

  const ask = async <Found>(fields: string): Promise<Found> =>
    (await askData<{ project: Found }>(api, `{ project: getProjectByName(name: "talks") { ${fields} } }`)).project;

  test("one session by the sender's id and by its own, with its ends and its user", async () => {
    const fields = "id sessionId numTraces userId firstInput { truncatedValue } lastOutput { truncatedValue }";
    const { session } = await ask<{ session: { id: string } }>(`session(sessionId: "long talk") { ${fields} }`);
    expect(session).toMatchObject({
      sessionId: "long talk",
      numTraces: 3,
      userId: "ada",
      firstInput: { truncatedValue: "question a" },
      lastOutput: { truncatedValue: "answer b" },
    });
    expect(await ask(`session(sessionId: "${session.id}") { ${fields} }`)).toEqual({ session });
    expect(await ask(`session(sessionId: "rootless talk") { numTraces userId firstInput { value } }`)).toEqual({
      session: { numTraces: 1, userId: null, firstInput: null },
    });
  });

  test("a session of another project only where it has traces in this one", async () => {
    expect(await ask('session(sessionId: "elsewhere") { sessionId }')).toEqual({ session: { sessionId: "elsewhere" } });
    expect(await ask('session(sessionId: "far away") { sessionId }')).toEqual({ session: null });
    expect(await ask('session(sessionId: "no such") { sessionId }')).toEqual({ session: null });
    const unknown = globalId("ProjectSession", 999);
    expect(await ask(`session(sessionId: "${unknown}") { sessionId }`)).toEqual({ session: null });
  });

  test("counts of all kinds at once, in a range and under a condition", async () => {
    const fields = "count errorCount turns { min max count } durations { min max count }";
    const { all, failed, none } = await ask<Record<string, Record<string, unknown>>>(
      `all: sessionFacets { ${fields} }
       failed: sessionFacets(sessionFilterCondition: "num_traces_with_error > 0") { count errorCount }
       none: sessionFacets(timeRange: { end: "2001-01-01T00:00:00Z" }) { count }`,
    );
    expect(all).toEqual({
      count: 3,
      errorCount: 1,
      turns: [
        { min: 0, max: 2, count: 2 },
        { min: 2, max: 6, count: 1 },
        { min: 6, max: 21, count: 0 },
        { min: 21, max: null, count: 0 },
      ],
      durations: [
        { min: 0, max: 10_000, count: 2 },
        { min: 10_000, max: 60_000, count: 0 },
        { min: 60_000, max: 600_000, count: 1 },
        { min: 600_000, max: 3_600_000, count: 0 },
        { min: 3_600_000, max: null, count: 0 },
      ],
    });
    expect({ failed, none }).toEqual({ failed: { count: 1, errorCount: 1 }, none: null as never });
  });

  test("the steps of a turn that matter, failed ones first where there are too many", async () => {
    const stepsOf = async (key: string, first: number) => {
      const { trace } = await ask<{ trace: { keySteps: { count: number; spans: { name: string }[] } } }>(
        `trace(traceId: "${key}") { keySteps(first: ${first}) { count spans { name } } }`,
      );
      return [trace.keySteps.count, ...trace.keySteps.spans.map(({ name }) => name)];
    };
    expect(await stepsOf("a", 10)).toEqual([4, "ask", "look up", "answer", "delegate"]);
    expect(await stepsOf("b", 10)).toEqual([5, "ask", "look up", "wrap", "answer", "delegate"]);
    expect(await stepsOf("b", 2)).toEqual([5, "ask", "wrap"]);
  });
});
