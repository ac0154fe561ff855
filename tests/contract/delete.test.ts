import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import type { IncomingSpan } from "../../src/model/span.ts";
import { createDeletionService } from "../../src/modules/tracing/deletion/deletion.service.ts";
import { createTransferService } from "../../src/modules/tracing/deletion/transfer.service.ts";
import { verifyStorage } from "../../src/modules/tracing/traces/verify/verify.service.ts";
import { ownedTables } from "../../src/server/features.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { createRollupsService } from "../../src/summaries/rollups/rollups.service.ts";
import { countRows, readContents, withTurns } from "../support/contents.ts";
import { forEachDriver } from "../support/drivers.ts";
import { batches } from "../support/rollup-forests.ts";
import type { SimulatedSpan } from "../support/rollup-simulator.ts";
import { incomingSpan, START_US } from "../support/spans.ts";
import { openTestStorage, type TestStorage } from "../support/storage.ts";

forEachDriver("delete", (driver) => {
  let store: TestStorage;
  beforeAll(async () => {
    store = await openTestStorage(await driver.createDatabase());
  });
  afterAll(async () => {
    await expectExact();
    expect(store.deadlocks()).toBe(0);
    await store.close();
  });

  const expectExact = async () =>
    expect((await verifyStorage(store.storage, store.context(), ownedTables)).differences).toEqual([]);
  const deletion = (storage: Storage = store.storage) =>
    createDeletionService({
      ownedTables,
      storage,
      rollups: createRollupsService(storage),
      transfer: createTransferService(storage),
    });
  const contents = () => readContents(store);

  /** Stores a trace of `size` spans: a root, and the others below the span at half their number. */
  const storeTrace = (traceKey: string, size: number, given: Partial<IncomingSpan> = {}) =>
    ingestBatch(
      store.ingest,
      Array.from({ length: size }, (_, number) =>
        incomingSpan({
          traceKey,
          spanKey: `s${number}`,
          parentKey: number === 0 ? null : `s${number >> 1}`,
          kind: "LLM",
          promptTokens: 1,
          // No two alike: a parent with the counts of its child would count once.
          completionTokens: number,
          status: number % 3 === 0 ? "ERROR" : "OK",
          startUs: START_US + number,
          ...given,
        }),
      ),
    );

  async function traceOf(traceKey: string) {
    const { trace } = (await contents()).get(traceKey)!;
    return {
      id: trace.id as number,
      traceKey,
      spanCount: trace.span_count as number,
      projectId: trace.project_id as number,
    };
  }

  async function spanOf(traceKey: string, spanKey: string) {
    const span = (await contents()).get(traceKey)!.spans.find((row) => row.span_key === spanKey)!;
    return { id: span.id as number, traceKey };
  }

  async function findSession(sessionKey: string) {
    const row = await store.storage.handle
      .read(store.context(), "short")
      .selectFrom("sessions")
      .selectAll()
      .where("session_key", "=", sessionKey)
      .executeTakeFirst();
    return row ?? null;
  }

  /** Runs `change` and demands that the named traces are gone and every other one is as before, to the last column. */
  async function expectOnlyGone(keys: readonly string[], change: () => Promise<unknown>): Promise<void> {
    const before = await contents();
    await change();
    const after = await contents();
    for (const key of keys) {
      expect(before.has(key)).toBe(true);
      before.delete(key);
    }
    expect(after).toEqual(before);
    await expectExact();
  }

  test("a trace goes with everything in it; its session stays, without what the trace brought", async () => {
    const text = "x".repeat(300_000);
    await storeTrace("doomed", 5, { sessionKey: "chat", largeValues: [{ path: '["input","value"]', text }] });
    await storeTrace("beside", 2, { sessionKey: "chat" });
    const before = await countRows(store);
    await expectOnlyGone(["doomed"], async () => deletion().deleteTrace(store.context(), await traceOf("doomed")));
    const after = await countRows(store);
    expect(after).toEqual({
      ...before,
      traces: before.traces! - 1,
      spans: before.spans! - 5,
      span_payloads: before.span_payloads! - 5,
      large_values: before.large_values! - 10,
    });
    expect(await findSession("chat")).toMatchObject({ trace_count: 1, span_count: 2, prompt_tokens: 2 });
    await expectOnlyGone(["beside"], async () => deletion().deleteTrace(store.context(), await traceOf("beside")));
    expect(await findSession("chat")).toMatchObject({ trace_count: 0, span_count: 0, error_trace_count: 0 });
  });

  test("a trace that is gone already, and one that was stored again, are no trouble", async () => {
    await storeTrace("again", 2);
    const first = await traceOf("again");
    await deletion().deleteTrace(store.context(), first);
    await deletion().deleteTrace(store.context(), first);
    await storeTrace("again", 2);
    expect((await contents()).get("again")!.spans).toHaveLength(2);
    await expectExact();
  });

  test("a large trace goes in parts, and its counts agree with its spans after every one", async () => {
    await storeTrace("large", 1700, { sessionKey: "large session" });
    let parts = 0;
    const storage = withTurns(store.storage, async () => {
      await expectExact();
      parts++;
    });
    const trace = await traceOf("large");
    await expectOnlyGone(["large"], () => deletion(storage).deleteTrace(store.context(), trace));
    expect(parts).toBeGreaterThanOrEqual(4);
    expect(await findSession("large session")).toMatchObject({ trace_count: 0, span_count: 0 });
  });

  test("a deletion in the background pauses after each of its smaller slices", async () => {
    for (const [key, size] of Object.entries({ paced: 70, "paced too": 10, "paced as well": 15 }))
      await storeTrace(key, size);
    const traces = [await traceOf("paced"), await traceOf("paced too"), await traceOf("paced as well")];
    const left: number[] = [];
    const rest = async (worked: number) => {
      expect(worked).toBeGreaterThan(0);
      const now = await contents();
      left.push(traces.reduce((sum, { traceKey }) => sum + (now.get(traceKey)?.spans.length ?? 0), 0));
    };
    await deletion().deleteTraces(store.context(), traces[0]!.projectId, traces, { spans: 30, rest });
    expect(left).toEqual([65, 35, 25, 0]);
    await expectExact();
  });

  test("a trace whose children came before their parents in time stays exact when its deletion is interrupted", async () => {
    const traceKey = "interrupted";
    const reversed = Array.from({ length: 1200 }, (_, number) =>
      incomingSpan({
        traceKey,
        spanKey: `s${number}`,
        parentKey: number === 0 ? null : `s${number >> 1}`,
        kind: "LLM",
        promptTokens: 3,
        startUs: START_US - number,
      }),
    );
    await ingestBatch(store.ingest, reversed);
    const trace = await traceOf(traceKey);
    const interrupted = deletion(goneAfter(store.storage, 1)).deleteTrace(store.context(), trace);
    await expect(interrupted).rejects.toThrow("gone");
    expect((await contents()).get(traceKey)!.spans).toHaveLength(700);
    await expectExact();
    await expectOnlyGone([traceKey], () => deletion().deleteTrace(store.context(), trace));
  });

  test("spans that arrive while a large trace is deleted go with it", async () => {
    await storeTrace("filling", 1100);
    let turn = 0;
    const storage = withTurns(store.storage, async () => {
      if (turn++ === 0) return;
      const span = incomingSpan({ traceKey: "filling", parentKey: "s1", kind: "LLM", promptTokens: 1 });
      await ingestBatch(store.ingest, [span]);
      await expectExact();
    });
    const trace = await traceOf("filling");
    await expectOnlyGone(["filling"], () => deletion(storage).deleteTrace(store.context(), trace));
  });

  test("one span leaves its ancestors, its trace and its session; its children stay", async () => {
    await storeTrace("pruned", 8, { sessionKey: "pruned session" });
    await deletion().deleteSpan(store.context(), await spanOf("pruned", "s3"));
    const { trace, spans } = (await contents()).get("pruned")!;
    expect(trace).toMatchObject({ span_count: 7, prompt_tokens: 7, error_count: 2, start_us: START_US });
    // s3 held s6 and s7.
    expect(spans.find((span) => span.span_key === "s1")).toMatchObject({ sum_prompt: 4 });
    expect(spans.find((span) => span.span_key === "s7")).toMatchObject({ parent_key: "s3", sum_prompt: 1 });
    expect(await findSession("pruned session")).toMatchObject({ trace_count: 1, span_count: 7, prompt_tokens: 7 });
    await expectExact();
  });

  test("the last span takes its trace along, but not the session; once more there is nothing to delete", async () => {
    await storeTrace("single", 1, { sessionKey: "single session" });
    const span = await spanOf("single", "s0");
    await expectOnlyGone(["single"], () => deletion().deleteSpan(store.context(), span));
    expect(await findSession("single session")).toMatchObject({ trace_count: 0 });
    await expect(deletion().deleteSpan(store.context(), span)).rejects.toMatchObject({ kind: "not_found" });
  });

  test("a span on a cycle frees the others", async () => {
    const traceKey = "cycle";
    const llm = { traceKey, kind: "LLM", promptTokens: 1, completionTokens: 0 } as const;
    await ingestBatch(store.ingest, [incomingSpan({ ...llm, spanKey: "a", parentKey: "c" })]);
    await ingestBatch(store.ingest, [incomingSpan({ ...llm, spanKey: "b", parentKey: "a", completionTokens: 5 })]);
    await ingestBatch(store.ingest, [incomingSpan({ ...llm, spanKey: "c", parentKey: "b" })]);
    await deletion().deleteSpan(store.context(), await spanOf(traceKey, "a"));
    const { trace, spans } = (await contents()).get(traceKey)!;
    expect(trace.has_cycle).toBe(0);
    expect(Object.fromEntries(spans.map((span) => [span.span_key, span.sum_prompt]))).toEqual({ b: 2, c: 1 });
    expect(spans.map((span) => span.on_cycle)).toEqual([0, 0]);
    await expectExact();
  });

  test("generated traces stay exact, whatever spans are deleted and in whatever order", async () => {
    let run = 0;
    const shapes = ["chain", "tree", "graph"] as const;
    const property = fc.asyncProperty(batches(shapes, 14), fc.infiniteStream(fc.nat()), async (arriving, choices) => {
      const prefix = `generated ${++run}`;
      for (const batch of arriving) {
        const spans = batch.map((span) => generatedSpan(prefix, span));
        await ingestBatch(store.ingest, spans);
      }
      const keys = [...(await contents()).keys()].filter((key) => key.startsWith(prefix));
      for (let deleted = 0; deleted < 6; deleted++) {
        const all = [...(await contents())].filter(([key]) => keys.includes(key)).flatMap(([, trace]) => trace.spans);
        if (all.length === 0) return;
        const span = all[choices.next().value! % all.length]!;
        const traceKey = [...(await contents())].find(([, { trace }]) => trace.id === span.trace_id)![0];
        await deletion().deleteSpan(store.context(), { id: span.id as number, traceKey });
      }
      await expectExact();
      for (const key of keys) {
        const trace = (await contents()).get(key)?.trace;
        if (trace === undefined) continue;
        await deletion().deleteTrace(store.context(), await traceOf(key));
      }
      await expectExact();
    });
    await fc.assert(property, { numRuns: 15, endOnFailure: true });
  }, 30_000);

  test("a period takes the traces that start in it, its end excluded, and the sessions that lose their last trace", async () => {
    const hour = 3_600_000_000;
    const projectName = "period";
    const at = (hours: number) => ({ projectName, startUs: START_US + hours * hour });
    await storeTrace("before", 1, at(-1));
    await storeTrace("first", 1, { ...at(0), sessionKey: "emptied" });
    await storeTrace("inside", 600, { ...at(1), sessionKey: "half" });
    await storeTrace("inside too", 2, { ...at(1), sessionKey: "elsewhere" });
    await storeTrace("end", 1, { ...at(2), sessionKey: "half" });
    await storeTrace("other project", 1, { startUs: START_US + hour });
    await storeTrace("emptied before", 1, { ...at(5), sessionKey: "empty before" });
    await deletion().deleteTrace(store.context(), await traceOf("emptied before"));
    const elsewhere = (await traceOf("other project")).projectId;
    const { projectId } = await traceOf("before");
    await store.storage.handle
      .write(store.context())
      .updateTable("sessions")
      .set({ project_id: elsewhere })
      .where("session_key", "=", "elsewhere")
      .execute();
    const period = { startUs: START_US, endUs: START_US + 2 * hour };
    await expectOnlyGone(["first", "inside", "inside too"], () =>
      deletion().deletePeriod(store.context(), projectId, period),
    );
    expect(await findSession("emptied")).toBeNull();
    expect(await findSession("half")).toMatchObject({ trace_count: 1 });
    expect(await findSession("elsewhere")).toMatchObject({ trace_count: 0 });
    expect(await findSession("empty before")).toMatchObject({ trace_count: 0 });
    await expectOnlyGone([], () => deletion().deletePeriod(store.context(), projectId, period));
  });

  test("a period ends even while traces keep arriving in it", async () => {
    await storeTrace("arriving 0", 1, { projectName: "arriving" });
    const { projectId } = await traceOf("arriving 0");
    let turn = 0;
    const storage = withTurns(store.storage, async () => {
      if (turn++ < 50) await storeTrace(`arriving ${turn}`, 1, { projectName: "arriving" });
    });
    const period = { startUs: START_US, endUs: START_US + 1 };
    await deletion(storage).deletePeriod(store.context(), projectId, period);
    expect(turn).toBeLessThan(10);
    expect((await contents()).has("arriving 0")).toBe(false);
    await expectExact();
  });

  test("a session goes with its traces, in whatever project they are", async () => {
    await storeTrace("mine", 3, { sessionKey: "spread", projectName: "one" });
    await storeTrace("theirs", 600, { sessionKey: "spread", projectName: "two" });
    await storeTrace("alone", 1, { projectName: "one" });
    const { id } = (await findSession("spread"))!;
    await expectOnlyGone(["mine", "theirs"], () => deletion().deleteSession(store.context(), id));
    expect(await findSession("spread")).toBeNull();
    await deletion().deleteSession(store.context(), id);
  });

  test("a trace that joins a session during its deletion goes as well", async () => {
    await storeTrace("joined", 1, { sessionKey: "joining" });
    const { id } = (await findSession("joining"))!;
    let turn = 0;
    const storage = withTurns(store.storage, async () => {
      if (turn++ === 0) await storeTrace("joins", 1, { sessionKey: "joining" });
    });
    await expectOnlyGone(["joined"], () => deletion(storage).deleteSession(store.context(), id));
    expect(turn).toBe(2);
    expect(await findSession("joining")).toBeNull();
  });

  test("a project is emptied: its traces, its sessions with their traces elsewhere, rows without spans", async () => {
    const projectName = "emptied project";
    await storeTrace("inner", 700, { projectName, sessionKey: "inner session" });
    await storeTrace("joins from elsewhere", 2, { sessionKey: "inner session" });
    await storeTrace("outer", 1, { sessionKey: "outer session" });
    await storeTrace("visits", 2, { projectName, sessionKey: "outer session" });
    await storeTrace("gave", 1, { projectName, sessionKey: "empty session" });
    await deletion().deleteTrace(store.context(), await traceOf("gave"));
    const { projectId } = await traceOf("inner");
    await leaveRow("leftover of the project", projectId);
    const gone = ["inner", "joins from elsewhere", "visits", "leftover of the project"];
    await expectOnlyGone(gone, () => deletion().deleteProjectContents(store.context(), projectId));
    for (const key of ["inner session", "empty session"]) expect(await findSession(key)).toBeNull();
    expect(await findSession("outer session")).toMatchObject({ trace_count: 1, span_count: 1 });
  });

  test("a project whose emptying was interrupted is emptied by the same call again", async () => {
    const projectName = "interrupted project";
    for (let number = 0; number < 4; number++) {
      await storeTrace(`of project ${number}`, 600, { projectName, sessionKey: `of project ${number >> 1}` });
    }
    const { projectId } = await traceOf("of project 0");
    for (const slices of [1, 3]) {
      const interrupted = deletion(goneAfter(store.storage, slices)).deleteProjectContents(store.context(), projectId);
      await expect(interrupted).rejects.toThrow("gone");
      await expectExact();
    }
    await deletion().deleteProjectContents(store.context(), projectId);
    expect([...(await contents()).keys()].filter((key) => key.startsWith("of project"))).toEqual([]);
    expect(await findSession("of project 1")).toBeNull();
  });

  test("no span stays behind in an emptied project from which a transfer was interrupted", async () => {
    await storeTrace("refuge", 1, { projectName: "refuge" });
    await storeTrace("moving out", 1200, { projectName: "left" });
    const { id, projectId } = await traceOf("moving out");
    const refuge = (await traceOf("refuge")).projectId;
    const transfer = createTransferService(goneAfter(store.storage, 2));
    await expect(transfer.transferTraces(store.context(), [id], refuge)).rejects.toThrow("gone");
    await deletion().deleteProjectContents(store.context(), projectId);
    const { spans } = (await contents()).get("moving out")!;
    expect(spans.map((span) => span.project_id)).toEqual(spans.map(() => refuge));
  });

  test("rows without spans that a killed server left are swept, others stay", async () => {
    await storeTrace("swept beside", 1);
    const { projectId } = await traceOf("swept beside");
    await leaveRow("leftover", projectId);
    await expectOnlyGone(["leftover"], () => deletion().sweepEmptyTraces(store.context()));
    await ingestBatch(store.ingest, [incomingSpan({ traceKey: "leftover" })]);
    expect((await contents()).get("leftover")!.spans).toHaveLength(1);
  });

  /** What a server killed between step 0 of an ingestion and its transaction leaves. */
  const leaveRow = (traceKey: string, projectId: number) =>
    store.storage.handle
      .write(store.context())
      .insertInto("traces")
      .values({
        trace_key: traceKey,
        project_id: projectId,
        session_id: null,
        start_us: START_US,
        end_us: START_US,
        latency_us: 0,
      })
      .execute();
});

/** The storage of a server that is gone after the given number of slices. */
function goneAfter(storage: Storage, slices: number): Storage {
  let left = slices;
  return withTurns(storage, async () => {
    if (left-- === 0) throw new Error("gone");
  });
}

function generatedSpan(prefix: string, span: SimulatedSpan): IncomingSpan {
  const { spanKey, parentKey, kind, status, promptTokens, completionTokens } = span;
  return incomingSpan({
    ...{ spanKey, parentKey, kind, status, promptTokens, completionTokens },
    traceKey: `${prefix} ${span.traceId}`,
    sessionKey: span.sessionId === null ? null : `${prefix} ${span.sessionId}`,
    startUs: START_US + span.startUs,
    endUs: START_US + span.endUs,
  });
}
