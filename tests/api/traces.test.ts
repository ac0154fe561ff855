// Traces and sessions over REST: lists, transfer and deletion, on both databases.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { globalId } from "../../src/kernel/ids.ts";
import { verifyStorage } from "../../src/modules/tracing/traces/verify/verify.service.ts";
import { ownedTables } from "../../src/server/features.ts";
import { openTestApi, send, type TestApi } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { incomingSpan, START_US } from "../support/spans.ts";

interface Listed {
  readonly id: string;
  readonly trace_id: string;
  readonly session_id: string;
  readonly spans: readonly { name: string; span_kind: string }[] | null;
}

const SECOND_US = 1_000_000;

forEachDriver("traces and sessions over REST", (driver) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await openTestApi(await driver.createDatabase());
  });
  afterAll(async () => {
    const report = await verifyStorage(api.stored.storage, api.context(), ownedTables);
    expect(report.differences).toEqual([]);
    await api.close();
  });

  const ask = async (line: string, json?: unknown) => {
    const response = await send(api.server, line, json === undefined ? {} : { json });
    const text = await response.text();
    return { status: response.status, text, data: (text.startsWith("{") ? JSON.parse(text) : {}).data };
  };
  const list = async (project: string, what: string) =>
    (await ask(`GET /v1/projects/${project}/${what}`)).data as Listed[];
  const store = (...spans: Parameters<typeof incomingSpan>[0][]) =>
    ingestBatch(api.stored.ingest, spans.map(incomingSpan));

  test("spans are listed with their trace by start time, only when they are asked for", async () => {
    const given = { projectName: "included", traceKey: "i1" };
    await store(
      { ...given, name: "late", kind: "LLM", startUs: START_US + SECOND_US },
      { ...given, name: "early", kind: "TOOL" },
      { ...given, traceKey: "i2", name: "other", startUs: START_US - SECOND_US },
    );
    const traces = await list("included", "traces?include_spans=true");
    expect(traces.map(({ spans }) => spans?.map(({ name, span_kind }) => `${name} ${span_kind}`))).toEqual([
      ["early TOOL", "late LLM"],
      ["other CHAIN"],
    ]);
    expect((await list("included", "traces")).map(({ spans }) => spans)).toEqual([null, null]);
  });

  test("a bound of infinity is everything or nothing", async () => {
    expect(await list("included", "traces?max_latency_ms=inf")).toHaveLength(2);
    expect(await list("included", "traces?max_latency_ms=1e300")).toHaveLength(2);
    expect(await list("included", "traces?min_latency_ms=inf")).toEqual([]);
    expect(await list("included", "traces?min_latency_ms=1e300")).toEqual([]);
  });

  test("a page goes on where it stopped though its next row is gone", async () => {
    for (const number of [1, 2, 3, 4])
      await store({ projectName: "paged", traceKey: `p${number}`, startUs: START_US + number });
    const first = await ask("GET /v1/projects/paged/traces?limit=2");
    expect(first.data.map((trace: Listed) => trace.trace_id)).toEqual(["p4", "p3"]);
    const cursor = encodeURIComponent(JSON.parse(first.text).next_cursor);
    await ask("DELETE /v1/traces/p2");
    expect((await list("paged", `traces?limit=2&cursor=${cursor}`)).map(({ trace_id }) => trace_id)).toEqual(["p1"]);
    const other = await list("paged", `traces?limit=9&order=asc&cursor=${cursor}`);
    expect(other.map(({ trace_id }) => trace_id)).toEqual(["p3", "p4"]);
  });

  test("a transfer moves all traces or none, and their spans with them", async () => {
    await store({ projectName: "from", traceKey: "m1", sessionKey: "moving" }, { projectName: "from", traceKey: "m2" });
    await store({ projectName: "aside", traceKey: "m3" }, { projectName: "to", traceKey: "m4" });
    const transfer = (...trace_identifiers: string[]) =>
      ask("POST /v1/traces/transfer", { trace_identifiers, destination_project_identifier: "to" });
    expect((await transfer("m1", "m3")).status).toBe(422);
    const missing = await transfer("m1", "nothing", globalId("Trace", 999_999));
    expect([missing.status, missing.text]).toEqual([404, expect.stringContaining("nothing")]);
    expect(await list("from", "traces")).toHaveLength(2);

    const [m2, m1] = await list("from", "traces");
    const moved = await transfer("m1", "m1", m1!.trace_id === "m1" ? m1!.id : m2!.id, "m2");
    expect([moved.status, moved.data.transferred_trace_count]).toEqual([200, 2]);
    expect(await list("from", "spans")).toEqual([]);
    expect((await list("to", "spans")).length).toBe(3);
    await store({ projectName: "from", traceKey: "m1", name: "later" });
    expect((await list("to", "traces")).map(({ trace_id }) => trace_id).sort()).toEqual(["m1", "m2", "m4"]);
    // The session stays in its project: by its own id it is no session of the other, by ours it is taken as it is.
    expect(await list("to", "traces?session_identifier=moving")).toEqual([]);
    const { data: session } = await ask("GET /v1/sessions/moving");
    expect(await list("to", `traces?session_identifier=${encodeURIComponent(session.id)}`)).toHaveLength(1);
    expect((await ask("GET /v1/sessions/moving?project_identifier=from")).status).toBe(200);
    expect((await ask("GET /v1/sessions/moving?project_identifier=to")).status).toBe(404);
    expect((await ask("GET /v1/sessions/moving?project_identifier=unknown")).status).toBe(404);
  });

  test("a session goes with its traces wherever they are; a deleted trace leaves its session", async () => {
    expect((await ask("DELETE /v1/sessions/moving")).status).toBe(204);
    expect((await list("to", "traces")).map(({ trace_id }) => trace_id).sort()).toEqual(["m2", "m4"]);
    expect((await ask("DELETE /v1/sessions/moving")).status).toBe(404);
    await store({ projectName: "kept", traceKey: "k1", sessionKey: "kept session", endUs: START_US + 9 * SECOND_US });
    expect((await ask("DELETE /v1/traces/k1")).status).toBe(204);
    expect((await ask("GET /v1/sessions/kept%20session")).data).toMatchObject({
      traces: [],
      token_count_total: 0,
      end_time: "2024-01-01T00:00:09+00:00",
    });
  });

  test("sessions of all projects by arrival, start and end, page by page in both directions", async () => {
    const starts = [5, 3, 4, 1, 2];
    for (const [number, seconds] of starts.entries()) {
      await store({
        projectName: number % 2 === 0 ? "even" : "odd",
        traceKey: `s${number}`,
        sessionKey: `session ${number}`,
        startUs: START_US + 3600 * SECOND_US + seconds * SECOND_US,
        endUs: START_US + 7200 * SECOND_US - seconds * SECOND_US,
      });
    }
    const walk = async (query: string) => {
      const found: string[] = [];
      for (let cursor = ""; ; ) {
        const { text } = await ask(`GET /v1/sessions?limit=2&${query}&cursor=${encodeURIComponent(cursor)}`);
        const page = JSON.parse(text) as { data: Listed[]; next_cursor: string | null };
        found.push(...page.data.map(({ session_id }) => session_id.replace("session ", "")));
        if (page.next_cursor === null) return found.filter((name) => /^\d$/.test(name)).join("");
        cursor = page.next_cursor;
      }
    };
    expect(await walk("")).toBe("01234");
    expect(await walk("order=desc")).toBe("43210");
    expect(await walk("sort=start_time")).toBe("34120");
    expect(await walk("sort=end_time")).toBe("02143");
    expect(await walk("sort=start_time&order=desc&project_identifier=even")).toBe("024");
    expect(await walk("project_identifier=odd&order=desc")).toBe("31");
    expect((await ask("GET /v1/sessions?project_identifier=unknown")).status).toBe(404);
    // The session without a name, as clients ask for it.
    expect((await ask("GET /v1/sessions/")).status).toBe(404);
    expect((await ask("GET /v1/sessions?sort=start_time&cursor=UHJvamVjdFNlc3Npb246Mw%3D%3D")).status).toBe(422);
  });

  test("several sessions are deleted by the ids of one kind", async () => {
    const { data: third } = await ask("GET /v1/sessions/session%203");
    expect((await ask("GET /redirects/sessions/session%203")).status).toBe(302);
    const remove = (...session_identifiers: string[]) => ask("POST /v1/sessions/delete", { session_identifiers });
    expect((await remove("session 1", third.id)).status).toBe(422);
    expect((await remove("session 1", "session 1", "unknown")).status).toBe(204);
    expect((await remove(third.id)).status).toBe(204);
    expect((await list("odd", "sessions")).length).toBe(0);
    expect((await list("odd", "traces")).length).toBe(0);
  });

  test("a deleted project takes its traces and sessions along", async () => {
    expect((await ask("DELETE /v1/projects/even")).status).toBe(204);
    expect((await ask("GET /v1/sessions/session%200")).status).toBe(404);
    expect((await ask("DELETE /v1/traces/s0")).status).toBe(404);
  });
});
