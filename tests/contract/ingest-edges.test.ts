// Batches at the edges of what ingestion promises: many traces and sessions at once, projects that go away, depth, caps.

import { expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { MAX_KEY_BYTES, MAX_TOKENS_PER_SPAN } from "../../src/model/span.ts";
import { MAXIMUM_ANCESTORS } from "../../src/model/summaries/rollups/rollup-climb.ts";
import { verifyStorage } from "../../src/modules/tracing/traces/verify/verify.service.ts";
import { ownedTables } from "../../src/server/features.ts";
import { forEachDriver } from "../support/drivers.ts";
import { failureOf } from "../support/failures.ts";
import { incomingSpan } from "../support/spans.ts";
import { openForSuite } from "../support/suite.ts";
import { openVerifiedStorage } from "../support/verified-storage.ts";

forEachDriver("edges of ingest", (driver) => {
  const store = openForSuite(async () => openVerifiedStorage(await driver.createDatabase()));

  const read = () => store.storage.handle.read(store.context(), "short");
  const write = () => store.storage.handle.write(store.context());
  const spanOf = (traceKey: string, spanKey: string) =>
    read()
      .selectFrom("spans")
      .innerJoin("traces", "traces.id", "spans.trace_id")
      .selectAll("spans")
      .where("trace_key", "=", traceKey)
      .where("span_key", "=", spanKey)
      .executeTakeFirst();

  test("one batch holds many traces, sessions and projects; a session may hold traces of several projects", async () => {
    const spans = Array.from({ length: 300 }, (_, position) =>
      incomingSpan({
        projectName: `project ${position % 3}`,
        traceKey: `many ${position % 60}`,
        sessionKey: `many ${position % 7}`,
        kind: "LLM",
        promptTokens: 1,
        completionTokens: 2,
      }),
    );
    expect(await ingestBatch(store.ingest, spans)).toMatchObject({ stored: 300, duplicates: 0 });
    const sessions = await read().selectFrom("sessions").selectAll().where("session_key", "like", "many %").execute();
    expect(sessions).toHaveLength(7);
    expect(sessions.reduce((sum, session) => sum + session.trace_count, 0)).toBe(60);
    expect(sessions.reduce((sum, session) => sum + session.prompt_tokens, 0)).toBe(300);
    const projects = await read().selectFrom("traces").select("project_id").distinct().execute();
    expect(projects.length).toBeGreaterThanOrEqual(3);
  });

  test("a trace keeps its first session and its project, whatever later spans say", async () => {
    const given = { traceKey: "faithful" };
    await ingestBatch(store.ingest, [incomingSpan({ ...given, sessionKey: "first", projectName: "first" })]);
    await ingestBatch(store.ingest, [incomingSpan({ ...given, sessionKey: "second", projectName: "second" })]);
    const trace = await read()
      .selectFrom("traces")
      .innerJoin("sessions", "sessions.id", "traces.session_id")
      .innerJoin("projects", "projects.id", "traces.project_id")
      .select(["session_key", "name", "traces.span_count"])
      .where("trace_key", "=", "faithful")
      .execute();
    expect(trace).toEqual([{ session_key: "first", name: "first", span_count: 2 }]);
    const strays = await read().selectFrom("sessions").select("id").where("session_key", "=", "second").execute();
    expect(strays).toEqual([]);
    expect(await read().selectFrom("projects").select("id").where("name", "=", "second").execute()).toEqual([]);
  });

  test("the same span id in another trace is another span", async () => {
    const spanKey = "shared";
    await ingestBatch(store.ingest, [
      incomingSpan({ spanKey, traceKey: "left", kind: "LLM", promptTokens: 1, completionTokens: 0 }),
      incomingSpan({ spanKey, traceKey: "right", kind: "LLM", promptTokens: 2, completionTokens: 0 }),
      incomingSpan({ spanKey: "root", traceKey: "left" }),
      incomingSpan({ spanKey: "child", traceKey: "right", parentKey: spanKey }),
    ]);
    expect([(await spanOf("left", spanKey))?.sum_prompt, (await spanOf("right", spanKey))?.sum_prompt]).toEqual([1, 2]);
  });

  test("a project that is being deleted takes nothing, neither new traces nor more of its old ones", async () => {
    await ingestBatch(store.ingest, [incomingSpan({ projectName: "leaving", traceKey: "leaving" })]);
    await write().updateTable("projects").set({ deleting: 1 }).where("name", "=", "leaving").execute();
    const refused = [
      [incomingSpan({ traceKey: "beside", spanKey: "beside" }), incomingSpan({ traceKey: "leaving" })],
      [
        incomingSpan({ traceKey: "beside", spanKey: "beside" }),
        incomingSpan({ traceKey: "n", projectName: "leaving" }),
      ],
    ];
    for (const batch of refused) {
      const failure = await failureOf(ingestBatch(store.ingest, batch));
      expect([failure.code, failure.kind]).toEqual(["traces.project_deleting", "unavailable"]);
      expect(failure.message).toContain("leaving");
    }
    expect(await spanOf("beside", "beside")).toBeUndefined();
    await write().updateTable("projects").set({ deleting: 0 }).where("name", "=", "leaving").execute();
    expect(await ingestBatch(store.ingest, refused[0]!)).toMatchObject({ stored: 2 });
  });

  test("a batch that fails leaves no session behind", async () => {
    await ingestBatch(store.ingest, [incomingSpan({ traceKey: "held", projectName: "held" })]);
    await write().updateTable("projects").set({ deleting: 1 }).where("name", "=", "held").execute();
    const batch = ["one", "two", "three"].map((sessionKey) =>
      incomingSpan({ traceKey: `session of ${sessionKey}`, sessionKey: `left behind ${sessionKey}` }),
    );
    await failureOf(ingestBatch(store.ingest, [...batch, incomingSpan({ traceKey: "held" })]));
    await write().updateTable("projects").set({ deleting: 0 }).where("name", "=", "held").execute();
    const left = await read()
      .selectFrom("sessions")
      .select("id")
      .where("session_key", "like", "left behind%")
      .execute();
    expect(left).toEqual([]);
  });

  test("a climb that is too long waits, and is settled exactly", async () => {
    const traceKey = "deep";
    const length = MAXIMUM_ANCESTORS + 500;
    const chain = Array.from({ length }, (_, depth) =>
      incomingSpan({ traceKey, spanKey: `s${depth}`, parentKey: depth === 0 ? null : `s${depth - 1}` }),
    );
    for (let start = 0; start < length; start += 2000)
      await ingestBatch(store.ingest, chain.slice(start, start + 2000));
    const leaf = { traceKey, kind: "LLM", promptTokens: 3, completionTokens: 1, parentKey: `s${length - 1}` } as const;
    const outcome = await ingestBatch(store.ingest, [
      incomingSpan({ ...leaf, spanKey: "leaf" }),
      incomingSpan({ traceKey: "shallow", spanKey: "root" }),
    ]);
    expect(outcome.pendingTraces).toHaveLength(1);
    expect((await spanOf(traceKey, "s0"))?.sum_prompt).toBe(0);
    // While it waits nothing climbs, and it is not reported twice.
    const more = await ingestBatch(store.ingest, [
      incomingSpan({ ...leaf, spanKey: "second" }),
      incomingSpan({ ...leaf, traceKey: "shallow", parentKey: "root" }),
    ]);
    expect(more.pendingTraces).toEqual([]);
    expect((await spanOf("shallow", "root"))?.sum_prompt).toBe(3);
    expect((await verifyStorage(store.storage, store.context(), ownedTables)).differences).toEqual([]);
    expect((await spanOf(traceKey, "s0"))?.sum_prompt).toBe(6);
    expect(await read().selectFrom("pending_rollups").selectAll().execute()).toEqual([]);
    await ingestBatch(store.ingest, [incomingSpan({ ...leaf, spanKey: "third", parentKey: "s99" })]);
    expect((await spanOf(traceKey, "s0"))?.sum_prompt).toBe(9);
  }, 30_000);

  test("token counts at their cap add up exactly", async () => {
    const traceKey = "capped";
    const tokens = { kind: "LLM", promptTokens: MAX_TOKENS_PER_SPAN, completionTokens: MAX_TOKENS_PER_SPAN } as const;
    const batch = () => Array.from({ length: 1000 }, () => incomingSpan({ ...tokens, traceKey, parentKey: "root" }));
    await ingestBatch(store.ingest, batch());
    await ingestBatch(store.ingest, [
      incomingSpan({
        kind: "LLM",
        traceKey,
        spanKey: "root",
        promptTokens: 1,
        completionTokens: 0,
        sessionKey: "capped",
      }),
    ]);
    await ingestBatch(store.ingest, batch());
    const root = await spanOf(traceKey, "root");
    expect([root?.sum_prompt, root?.sum_completion]).toEqual([2000 * 2 ** 40 + 1, 2000 * 2 ** 40]);
    const session = await read()
      .selectFrom("sessions")
      .select("prompt_tokens")
      .where("session_key", "=", "capped")
      .executeTakeFirstOrThrow();
    expect(session.prompt_tokens).toBe(2000 * 2 ** 40 + 1);
  });

  test("keys as long as they may be, and of any characters, are stored and distinguished", async () => {
    const longest = "é".repeat(MAX_KEY_BYTES / 2);
    const keys = [longest, `${longest.slice(1)}è`, "A", "a", "ä", "a ", " a", "", "%", "_", "'", '"', "\\", "💥"];
    const batch = () =>
      keys.map((key) =>
        incomingSpan({
          projectName: `p${key}`,
          traceKey: `t${key}`.slice(0, 512),
          spanKey: key,
          parentKey: key,
          sessionKey: key,
        }),
      );
    expect(await ingestBatch(store.ingest, batch())).toMatchObject({ stored: keys.length });
    expect(await ingestBatch(store.ingest, batch())).toMatchObject({ stored: 0, duplicates: keys.length });
  });

  test("an empty batch stores nothing", async () => {
    expect(await ingestBatch(store.ingest, [])).toEqual({ stored: 0, duplicates: 0, pendingTraces: [] });
  });
});
