// Reads that take too long end at their deadline, say how to ask for less, and are cancelled when their client goes away.

import { beforeAll, expect, test } from "bun:test";
import { explainedSlowness, narrowerRange } from "../../src/api/too-slow.ts";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { type Failure, fail } from "../../src/kernel/failure.ts";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askGraphql } from "../support/graphql.ts";
import { SLOW_SPAN_CONDITION, SLOW_TRACE_CONDITION, slowTrace } from "../support/slow-conditions.ts";
import { START_US } from "../support/spans.ts";
import { openForSuite } from "../support/suite.ts";

const DAY_US = 86_400_000_000;
const PROJECT = "slow";
const FILTER = encodeURIComponent(SLOW_TRACE_CONDITION);

test("a narrower range is the last day of what was asked for, or the last quarter of less", () => {
  const now = START_US + 100 * DAY_US;
  expect(narrowerRange({ startUs: null, endUs: null }, now)).toEqual({ startUs: now - DAY_US, endUs: null });
  expect(narrowerRange({ startUs: START_US, endUs: null }, now)).toEqual({ startUs: now - DAY_US, endUs: null });
  const [startUs, endUs] = [START_US, START_US + DAY_US];
  expect(narrowerRange({ startUs, endUs }, now)).toEqual({ startUs: endUs - DAY_US / 4, endUs });
  expect(narrowerRange({ startUs: now + 5, endUs: null }, now)).toEqual({ startUs: now, endUs: null });
});

test("a query that only waited is not told to ask for less, nor is any other failure explained", () => {
  const names = { start: "start_time", end: "end_time" };
  const range = { startUs: null, endUs: null };
  const waited = fail("storage.deadline", "unavailable", "waited", { hint: { waited: true } });
  expect(explainedSlowness(waited, range, names, START_US)).toBe(waited);
  const other = new Error("other");
  expect(explainedSlowness(other, range, names, START_US)).toBe(other);
  const stopped = fail("storage.deadline", "unavailable", "stopped");
  expect((explainedSlowness(stopped, null, names, START_US) as Failure).message).toEndWith(
    "Ask for less: a narrower condition, or fewer rows.",
  );
});

forEachDriver("reads that take too long", (driver) => {
  const api = openForSuite(async () =>
    openTestApi(await driver.createDatabase(), { stoppableReads: true, settings: { deadlineMs: 1500 } }),
  );
  beforeAll(async () => {
    await ingestBatch(api.stored.ingest, [...slowTrace(PROJECT)]);
  });

  test("REST answers 503 with a range to try", async () => {
    const response = await send(api.server, `GET /v1/projects/${PROJECT}/traces?filter=${FILTER}`);
    const text = await response.text();
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(text).toMatch(
      /^The query took too long and was stopped\. Narrow the time range, for example to its last 24 hours with start_time=\d{4}-/,
    );
    const start = /start_time=(\S+),/.exec(text)![1]!;
    const narrower = await send(
      api.server,
      `GET /v1/projects/${PROJECT}/traces?filter=${FILTER}&start_time=${encodeURIComponent(start)}`,
    );
    expect(narrower.status).toBe(200);
  });

  test("a range that was given is narrowed", async () => {
    const range = "start_time=2023-12-31T22:00:00Z&end_time=2024-01-01T02:00:00Z";
    const response = await send(api.server, `GET /v1/projects/${PROJECT}/traces?filter=${FILTER}&${range}`);
    expect(await response.text()).toContain(
      "its last 60 minutes with start_time=2024-01-01T01:00:00+00:00 and end_time=2024-01-01T02:00:00+00:00",
    );
  });

  test("GraphQL says the same in the extensions of the error", async () => {
    const query = `query ($condition: String!) { projects { edges { node { name
      spans(first: 5, traceFilterCondition: $condition, rootSpansOnly: true) { edges { node { name } } } } } } }`;
    const { errors } = await askGraphql(api, query, { condition: SLOW_TRACE_CONDITION });
    expect(errors).toHaveLength(1);
    expect(errors![0]).toMatchObject({
      message: expect.stringContaining("with timeRange.start="),
      extensions: {
        code: "UNAVAILABLE",
        reason: "query.too_slow",
        narrower: { start: expect.stringMatching(/^\d{4}-/), end: null },
      },
    });
  });

  test("tables and statistics are stopped too", async () => {
    const tables = await send(api.server, `POST /v1/spans?project_name=${PROJECT}`, {
      json: { queries: [{ filter: { condition: SLOW_SPAN_CONDITION } }], start_time: "2023-12-31T22:00:00Z" },
      headers: { accept: "application/json" },
    });
    expect([tables.status, await tables.text()]).toEqual([503, expect.stringContaining("start_time=")]);
    const query = `query ($condition: String!) { projects { edges { node { name recordCount(filterCondition: $condition)
      latencyMsQuantile(probability: 0.5, filterCondition: $condition) } } } }`;
    const { errors } = await askGraphql(api, query, { condition: SLOW_SPAN_CONDITION });
    expect(new Set(errors?.map(({ extensions }) => extensions.code))).toEqual(new Set(["UNAVAILABLE"]));
  });
});
