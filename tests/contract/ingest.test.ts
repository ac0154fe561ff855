import { afterAll, beforeAll, expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { createIntake } from "../../src/ingest/intake.ts";
import { verifyStorage } from "../../src/modules/tracing/traces/verify/verify.service.ts";
import { ownedTables } from "../../src/server/features.ts";
import { forEachDriver } from "../support/drivers.ts";
import { incomingSpan, START_US } from "../support/spans.ts";
import { openTestStorage, type TestStorage } from "../support/storage.ts";

forEachDriver("ingest", (driver) => {
  let store: TestStorage;
  beforeAll(async () => {
    store = await openTestStorage(await driver.createDatabase());
  });
  afterAll(async () => {
    const report = await verifyStorage(store.storage, store.context(), ownedTables);
    expect(report.differences).toEqual([]);
    await store.close();
  });

  const readTrace = (traceKey: string) =>
    store.storage.handle
      .read(store.context(), "short")
      .selectFrom("traces")
      .selectAll()
      .where("trace_key", "=", traceKey)
      .executeTakeFirstOrThrow();

  const readSums = async (traceKey: string) => {
    const rows = await store.storage.handle
      .read(store.context(), "short")
      .selectFrom("spans")
      .innerJoin("traces", "traces.id", "spans.trace_id")
      .select(["spans.span_key", "sum_errors", "sum_prompt", "sum_completion"])
      .where("traces.trace_key", "=", traceKey)
      .execute();
    return Object.fromEntries(rows.map((row) => [row.span_key, [row.sum_errors, row.sum_prompt, row.sum_completion]]));
  };

  test("a late parent adopts the sums of its children, and its ancestors with it", async () => {
    const traceKey = "late-parents";
    const llm = { kind: "LLM", promptTokens: 7, completionTokens: 2 } as const;
    await ingestBatch(store.ingest, [
      incomingSpan({ ...llm, traceKey, spanKey: "g", parentKey: "c", status: "ERROR", promptTokens: 8 }),
    ]);
    await ingestBatch(store.ingest, [incomingSpan({ ...llm, traceKey, spanKey: "c", parentKey: "r" })]);
    await ingestBatch(store.ingest, [incomingSpan({ traceKey, spanKey: "r" })]);
    await ingestBatch(store.ingest, [incomingSpan({ ...llm, traceKey, spanKey: "h", parentKey: "g" })]);
    expect(await readSums(traceKey)).toEqual({ h: [0, 7, 2], g: [1, 15, 4], c: [1, 22, 6], r: [1, 22, 6] });
    expect(await readTrace(traceKey)).toMatchObject({ span_count: 4, error_count: 1, llm_count: 3, prompt_tokens: 22 });
  });

  test("projects, traces and sessions that a batch makes get their ids in the order of their first spans", async () => {
    // In no order of their names.
    const names = ["order q", "order B", "order é", "order a", "order z", "order 0", "order Z"];
    const batch = names.map((name) =>
      incomingSpan({ projectName: name, traceKey: name, sessionKey: name, startUs: START_US, endUs: START_US + 1 }),
    );
    await ingestBatch(store.ingest, [...batch, incomingSpan({ traceKey: names[3]!, sessionKey: names[3]! })]);
    const database = store.storage.handle.read(store.context(), "short");
    const [projects, traces, sessions] = await Promise.all([
      database.selectFrom("projects").select("name").where("name", "in", names).orderBy("id").execute(),
      database.selectFrom("traces").select("trace_key as name").where("trace_key", "in", names).orderBy("id").execute(),
      database
        .selectFrom("sessions")
        .select("session_key as name")
        .where("session_key", "in", names)
        .orderBy("id")
        .execute(),
    ]);
    for (const rows of [projects, traces, sessions]) expect(rows.map(({ name }) => name)).toEqual(names);
  });

  test("sessions of one request get their ids in the order of their first spans, also where its traces go separate ways", async () => {
    const queues = driver.name === "sqlite" ? 1 : 4;
    const intake = createIntake({ store: store.ingest, queues, maxQueuedSpans: 1000, onBatch: () => {} });
    for (let round = 0; round < 5; round++) {
      const names = Array.from({ length: 12 }, (_, at) => `way ${round} ${String(at * 7).padStart(3, "0")} ${at % 5}`);
      // In no order of their names.
      names.push(...names.splice(0, 5));
      const spans = names.map((name) => incomingSpan({ traceKey: name, sessionKey: name }));
      expect((await intake.submit(spans)).rejections).toEqual([]);
      const rows = await store.storage.handle
        .read(store.context(), "short")
        .selectFrom("sessions")
        .select("session_key as name")
        .where("session_key", "in", names)
        .orderBy("id")
        .execute();
      expect(rows.map(({ name }) => name)).toEqual(names);
    }
    await intake.close();
  });

  test("a span that is stored already changes nothing, neither times nor tokens nor its session", async () => {
    const traceKey = "duplicates";
    await ingestBatch(store.ingest, [incomingSpan({ traceKey, spanKey: "a" })]);
    const outcome = await ingestBatch(store.ingest, [
      incomingSpan({ traceKey, spanKey: "a", sessionKey: "never", endUs: START_US + 90_000_000, status: "ERROR" }),
      incomingSpan({ traceKey, spanKey: "b" }),
      incomingSpan({ traceKey, spanKey: "b", sessionKey: "never" }),
    ]);
    expect(outcome).toEqual({ stored: 1, duplicates: 2, pendingTraces: [] });
    expect(await readTrace(traceKey)).toMatchObject({
      span_count: 2,
      error_count: 0,
      session_id: null,
      end_us: START_US + 1_000_000,
    });
    const sessions = await store.storage.handle
      .read(store.context(), "short")
      .selectFrom("sessions")
      .select("id")
      .where("session_key", "=", "never")
      .execute();
    expect(sessions).toEqual([]);
  });

  test("a trace linked to a session late brings everything it holds", async () => {
    await ingestBatch(store.ingest, [
      incomingSpan({ traceKey: "linked-late", kind: "LLM", promptTokens: 5, completionTokens: 1, status: "ERROR" }),
    ]);
    await ingestBatch(store.ingest, [incomingSpan({ traceKey: "linked-late", sessionKey: "chat" })]);
    await ingestBatch(store.ingest, [incomingSpan({ traceKey: "other", sessionKey: "chat", startUs: START_US - 5 })]);
    const session = await store.storage.handle
      .read(store.context(), "short")
      .selectFrom("sessions")
      .selectAll()
      .where("session_key", "=", "chat")
      .executeTakeFirstOrThrow();
    expect(session).toMatchObject({
      trace_count: 2,
      error_trace_count: 1,
      span_count: 3,
      prompt_tokens: 5,
      start_us: START_US - 5,
    });
  });

  test("parents that form a cycle count as absent, whatever the order of arrival", async () => {
    const traceKey = "cycle";
    const counts = { traceKey, kind: "LLM", promptTokens: 1, completionTokens: 0 } as const;
    await ingestBatch(store.ingest, [incomingSpan({ ...counts, spanKey: "a", parentKey: "c" })]);
    await ingestBatch(store.ingest, [incomingSpan({ ...counts, spanKey: "b", parentKey: "a" })]);
    const outcome = await ingestBatch(store.ingest, [
      incomingSpan({ ...counts, spanKey: "c", parentKey: "b" }),
      incomingSpan({ ...counts, spanKey: "self", parentKey: "self" }),
    ]);
    expect(outcome.pendingTraces).toHaveLength(1);
    await ingestBatch(store.ingest, [
      incomingSpan({ ...counts, spanKey: "leaf", parentKey: "b", completionTokens: 1 }),
    ]);
    const report = await verifyStorage(store.storage, store.context(), ownedTables);
    expect(report.differences).toEqual([]);
    expect(await readSums(traceKey)).toEqual({
      a: [0, 1, 0],
      b: [0, 2, 1],
      c: [0, 1, 0],
      self: [0, 1, 0],
      leaf: [0, 1, 1],
    });
  });

  test("a text of megabytes is kept in pieces beside the attributes", async () => {
    const text = "é".repeat(300_000);
    await ingestBatch(store.ingest, [
      incomingSpan({
        traceKey: "large",
        spanKey: "large",
        attributes: '{"input":{"value":"é"}}',
        largeValues: [{ path: '["input","value"]', text }],
      }),
    ]);
    const pieces = await store.storage.handle
      .read(store.context(), "short")
      .selectFrom("large_values")
      .innerJoin("spans", "spans.id", "large_values.span_id")
      .select(["seq", "bytes", "path"])
      .where("span_key", "=", "large")
      .orderBy("seq")
      .execute();
    expect(pieces.map((piece) => piece.seq)).toEqual([0, 1, 2]);
    expect(Buffer.concat(pieces.map((piece) => piece.bytes)).toString("utf8")).toBe(text);
  });
});
