import { afterAll, beforeAll, expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { createTransferService } from "../../src/modules/tracing/deletion/transfer.service.ts";
import { verifyStorage } from "../../src/modules/tracing/traces/verify/verify.service.ts";
import { ownedTables } from "../../src/server/features.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { readContents, withTurns } from "../support/contents.ts";
import { forEachDriver } from "../support/drivers.ts";
import { incomingSpan } from "../support/spans.ts";
import { openTestStorage, type TestStorage } from "../support/storage.ts";

forEachDriver("transfer", (driver) => {
  let store: TestStorage;
  beforeAll(async () => {
    store = await openTestStorage(await driver.createDatabase());
  });
  afterAll(async () => {
    expect(await differences()).toEqual([]);
    expect(store.deadlocks()).toBe(0);
    await store.close();
  });

  const differences = async () => (await verifyStorage(store.storage, store.context(), ownedTables)).differences;

  /** Stores a trace of `size` spans below one root. */
  const storeTrace = (traceKey: string, projectName: string, size: number, sessionKey: string | null = null) =>
    ingestBatch(
      store.ingest,
      Array.from({ length: size }, (_, number) =>
        incomingSpan({
          traceKey,
          projectName,
          sessionKey,
          spanKey: `s${number}`,
          parentKey: number === 0 ? null : "s0",
          kind: "LLM",
          promptTokens: 1,
          status: number % 3 === 0 ? "ERROR" : "OK",
        }),
      ),
    );

  /** The id of a project, made by a trace of its own. */
  async function projectOf(name: string): Promise<number> {
    await storeTrace(`home of ${name}`, name, 1);
    const { id } = await store.storage.handle
      .read(store.context(), "short")
      .selectFrom("projects")
      .select("id")
      .where("name", "=", name)
      .executeTakeFirstOrThrow();
    return id;
  }

  const idsOf = async (...keys: string[]) => {
    const contents = await readContents(store);
    return keys.map((key) => contents.get(key)!.trace.id as number);
  };

  test("traces move with all their spans, and everything else stays as it was", async () => {
    const destination = await projectOf("destination");
    for (const key of ["moved-a", "moved-b", "kept"]) await storeTrace(key, "source", 3, "chat");
    const before = await readContents(store);
    await createTransferService(store.storage).transferTraces(
      store.context(),
      await idsOf("moved-a", "moved-b"),
      destination,
    );
    const after = await readContents(store);
    for (const key of before.keys()) {
      const { trace, spans, ...others } = before.get(key)!;
      const project = key.startsWith("moved") ? { project_id: destination } : {};
      expect(after.get(key)).toEqual({
        ...others,
        trace: { ...trace, ...project },
        spans: spans.map((span) => ({ ...span, ...project })),
      });
    }
    expect(await differences()).toEqual([]);
  });

  test("spans that arrive later follow the trace", async () => {
    const destination = await projectOf("followed");
    await storeTrace("late", "source", 1);
    await createTransferService(store.storage).transferTraces(store.context(), await idsOf("late"), destination);
    await ingestBatch(store.ingest, [incomingSpan({ traceKey: "late", projectName: "source", parentKey: "s0" })]);
    expect((await readContents(store)).get("late")!.spans.map((span) => span.project_id)).toEqual([
      destination,
      destination,
    ]);
  });

  test("a trace that is there already, and one that is gone, are harmless", async () => {
    const destination = await projectOf("again");
    await storeTrace("twice", "source", 2);
    const { transferTraces } = createTransferService(store.storage);
    const ids = [...(await idsOf("twice")), 2_000_000_000];
    await transferTraces(store.context(), ids, destination);
    const once = await readContents(store);
    await transferTraces(store.context(), ids, destination);
    expect(await readContents(store)).toEqual(once);
  });

  test("spans that arrive between the slices of a large trace follow it", async () => {
    const destination = await projectOf("large destination");
    await storeTrace("large", "source", 1800);
    let arrived = 0;
    const storage = withTurns(store.storage, async () => {
      const late = { traceKey: "large", projectName: "source", spanKey: `late${arrived++}`, parentKey: "s0" };
      await ingestBatch(store.ingest, [incomingSpan(late)]);
    });
    await createTransferService(storage).transferTraces(store.context(), await idsOf("large"), destination);
    const { trace, spans } = (await readContents(store)).get("large")!;
    expect(trace.project_id).toBe(destination);
    expect(arrived).toBeGreaterThan(3);
    expect(spans).toHaveLength(1800 + arrived);
    expect(await differences()).toEqual([]);
  });

  test("a transfer that was interrupted is finished by the same call again", async () => {
    const destination = await projectOf("interrupted destination");
    await storeTrace("interrupted", "source", 1800);
    const ids = await idsOf("interrupted");
    const failing = createTransferService(failingAfter(store.storage, 2));
    await expect(failing.transferTraces(store.context(), ids, destination)).rejects.toThrow("interrupted");
    expect(await differences()).toEqual([expect.stringContaining("strays is")]);
    await createTransferService(store.storage).transferTraces(store.context(), ids, destination);
    expect(await differences()).toEqual([]);
  });

  test("a project to be emptied hands over the spans that an interrupted transfer left in it", async () => {
    const source = await projectOf("left behind");
    const destination = await projectOf("taken over");
    await storeTrace("left", "left behind", 1200);
    const failing = createTransferService(failingAfter(store.storage, 1));
    await expect(failing.transferTraces(store.context(), await idsOf("left"), destination)).rejects.toThrow(
      "interrupted",
    );
    await createTransferService(store.storage).finishTransfersFrom(store.context(), source);
    expect(await differences()).toEqual([]);
  });

  test("two transfers of one large trace to different projects leave it whole in one of them", async () => {
    const destinations = [await projectOf("first"), await projectOf("second")];
    await storeTrace("contested", "source", 1800);
    const ids = await idsOf("contested");
    const { transferTraces } = createTransferService(store.storage);
    await Promise.all(destinations.map((project) => transferTraces(store.context(), ids, project)));
    expect(destinations).toContain((await readContents(store)).get("contested")!.trace.project_id as number);
    expect(await differences()).toEqual([]);
  });

  test("a project that is being deleted takes no trace", async () => {
    const destination = await projectOf("closing");
    await storeTrace("refused", "source", 1);
    await store.storage.handle
      .write(store.context())
      .updateTable("projects")
      .set({ deleting: 1 })
      .where("id", "=", destination)
      .execute();
    const { transferTraces } = createTransferService(store.storage);
    const ids = await idsOf("refused");
    await expect(transferTraces(store.context(), ids, destination)).rejects.toMatchObject({ kind: "not_found" });
  });
});

/** The storage of a server that is gone after the given number of slices. */
function failingAfter(storage: Storage, slices: number): Storage {
  let left = slices;
  return withTurns(storage, async () => {
    if (left-- === 0) throw new Error("interrupted");
  });
}
