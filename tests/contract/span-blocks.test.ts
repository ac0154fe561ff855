// Summaries of blocks agree with the spans at every stage: while they are built, after deletions and moves, and while others
// write.

import { beforeAll, expect, test } from "bun:test";
import { sql } from "kysely";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { BLOCK_SPANS, SUMMARY_VERSION } from "../../src/model/summaries/blocks/block.ts";
import { requiredValue } from "../../src/model/summaries/blocks/required-values.ts";
import { createDeletionService } from "../../src/modules/tracing/deletion/deletion.service.ts";
import { createTransferService } from "../../src/modules/tracing/deletion/transfer.service.ts";
import { readBacklog } from "../../src/server/backlog.store.ts";
import { ownedTables } from "../../src/server/features.ts";
import { SERVER_LEVEL } from "../../src/storage/migrations.ts";
import { createBlocksStore } from "../../src/summaries/blocks/blocks.store.ts";
import { verifyBlocks } from "../../src/summaries/blocks/blocks-verify.service.ts";
import { createCandidatesStore } from "../../src/summaries/blocks/candidates.store.ts";
import { createFacetCountsStore } from "../../src/summaries/blocks/facet-counts.store.ts";
import { createRollupsService } from "../../src/summaries/rollups/rollups.service.ts";
import { blockSpan, blocksOf, buildBlocks, randomOf, storeBlockSpans } from "../support/blocks.ts";
import { forEachDriver } from "../support/drivers.ts";
import { failureOf } from "../support/failures.ts";
import { openTestStorage } from "../support/storage.ts";
import { openForSuite } from "../support/suite.ts";
import { until } from "../support/until.ts";

forEachDriver("span blocks", (driver) => {
  const store = openForSuite(async () => openTestStorage(await driver.createDatabase()));
  beforeAll(async () => {
    await storeBlockSpans(store, randomOf(1), 0, 9000);
  });

  const verified = () => verifyBlocks(store.storage, store.context());
  const database = () => store.storage.handle.read(store.context(), "short");
  const countRows = async (table: "span_block_marks" | "span_block_counts" | "span_block_bits") => {
    const row = await database()
      .selectFrom(table)
      .select((eb) => eb.fn.countAll().as("count"))
      .executeTakeFirstOrThrow();
    return Number(row.count);
  };
  const listTraces = (first: number, count: number) =>
    database()
      .selectFrom("traces")
      .select(["id", "trace_key as traceKey", "span_count as spanCount", "project_id as projectId"])
      .where(
        "trace_key",
        "in",
        Array.from({ length: count }, (_, number) => `trace-${first + number}`),
      )
      .execute();

  test("blocks are built in order, each one once, up to the last that is full", async () => {
    expect(await buildBlocks(store, 1)).toBe(1);
    expect(await verified()).toEqual({ blocks: 1, differences: [] });
    expect(await buildBlocks(store, 2)).toBe(1);
    expect(await blocksOf(store).catchUp(store.context())).toBe(0);
    expect(await verified()).toEqual({ blocks: 2, differences: [] });
    expect(await countRows("span_block_bits")).toBeGreaterThan(100);
  });

  test("a difference is named", async () => {
    const write = store.storage.handle.write(store.context());
    await sql`update span_block_counts set amount = amount + 1 where block = 1 and facet = 1`.execute(write);
    const { differences } = await verified();
    expect(differences[0]).toMatch(/^block 1: status "[012]" of project \d+ in hour \d+ is \d+, recomputed \d+$/);
    await sql`update span_block_counts set amount = amount - 1 where block = 1 and facet = 1`.execute(write);
    await sql`update span_block_bits set bits = ${new Uint8Array(8)} where block = 0 and part = 3`.execute(write);
    expect((await verified()).differences).toContainEqual(
      expect.stringMatching(/^block 0: \d+ values of part \d+ are not/),
    );
    if (driver.name === "sqlite") {
      // PostgreSQL keeps no JSON that it cannot read.
      const { rows } = await sql<{
        attributes: Uint8Array;
      }>`select attributes from span_payloads where span_id = 5`.execute(write);
      await sql`update span_payloads set attributes = x'ffff00' where span_id = 5`.execute(write);
      const damaged = await verified();
      expect([damaged.blocks, damaged.differences[0]]).toEqual([
        2,
        expect.stringMatching(/^block 0: it cannot be compared, a payload of its spans cannot be read: .*JSON/),
      ]);
      await sql`update span_payloads set attributes = ${rows[0]!.attributes} where span_id = 5`.execute(write);
    }
    // Rebuilt, as after a change of their form.
    for (const table of ["span_blocks", "span_block_bits", "span_block_counts"] as const) {
      await write.deleteFrom(table).execute();
    }
    await buildBlocks(store, 2);
    expect((await verified()).differences).toEqual([]);
  });

  test("deleting spans marks their block until it is counted again", async () => {
    const rollups = createRollupsService(store.storage);
    const transfer = createTransferService(store.storage);
    const deletion = createDeletionService({ ownedTables, storage: store.storage, rollups, transfer });
    const traces = (await listTraces(10, 3)).filter(({ projectId }) => projectId > 0);
    for (const trace of traces) await deletion.deleteTrace(store.context(), trace);
    expect(await countRows("span_block_marks")).toBeGreaterThan(0);
    expect(await verified()).toEqual({ blocks: 2, differences: [] });
    expect(await buildBlocks(store, 2)).toBe(1);
    expect(await countRows("span_block_marks")).toBe(0);
    expect(await verified()).toEqual({ blocks: 2, differences: [] });
  });

  test("moving traces to another project changes the counts of both", async () => {
    const [destination] = await listTraces(0, 1);
    const moved = await listTraces(40, 4);
    await createTransferService(store.storage).transferTraces(
      store.context(),
      moved.map(({ id }) => id),
      destination!.projectId,
    );
    expect(await buildBlocks(store, 2)).toBe(1);
    expect(await verified()).toEqual({ blocks: 2, differences: [] });
  });

  test("a deletion that comes while its block is being counted is not forgotten", async () => {
    const rollups = createRollupsService(store.storage);
    const transfer = createTransferService(store.storage);
    const deletion = createDeletionService({ ownedTables, storage: store.storage, rollups, transfer });
    const [first, second] = await listTraces(60, 2);
    await deletion.deleteTrace(store.context(), first!);
    let turned = false;
    const counting = blocksOf(store, async () => {
      if (!turned) await deletion.deleteTrace(store.context(), second!);
      turned = true;
    });
    expect(await counting.catchUp(store.context())).toBeGreaterThan(0);
    expect(await countRows("span_block_marks")).toBeGreaterThan(0);
    expect(await counting.catchUp(store.context())).toBe(1);
    expect(await verified()).toEqual({ blocks: 2, differences: [] });
  });

  test("blocks of an older summary version are not relied on, and are summarised again", async () => {
    const write = store.storage.handle.write(store.context());
    const projects = await database().selectFrom("projects").select("id").execute();
    const everything = { startUs: null, endUs: null };
    const ask = async () => {
      const counts = await createFacetCountsStore(store.storage.dialect).count(
        store.context(),
        projects.map(({ id }) => id),
        "kind",
        everything,
        false,
      );
      return counts.map(({ projectId, value, amount }) => `${projectId} ${value} ${amount}`).sort();
    };
    const text = requiredValue([["text"]], { reading: "string", value: "value 100" })!;
    /** Whether a list that is narrowed to candidates would find the span with that text, one of the first block. */
    const isFound = async () => {
      const { id } = await database()
        .selectFrom("span_payloads")
        .select("span_id as id")
        .where(sql<string>`attributes ->> 'text'`, "=", "value 100")
        .executeTakeFirstOrThrow();
      expect(id).toBeLessThan(BLOCK_SPANS);
      const ranges = await createCandidatesStore(store.storage.dialect).find(store.context(), text, everything);
      return ranges === null || ranges.some(({ lowest, highest }) => id >= lowest && id <= highest);
    };
    const waiting = async () => (await readBacklog(store.context())).spans;
    const usual = await waiting();
    const right = await ask();
    // As a server leaves them that does not know the column: its counts lack something and its filter knows other forms.
    const [first] = await database().selectFrom("span_blocks").selectAll().where("block", "=", 0).execute();
    await write.deleteFrom("span_blocks").where("block", "=", 0).execute();
    await sql`insert into span_blocks (block, unfiltered, start_low, start_high)
      values (0, 0, ${first!.start_low}, ${first!.start_high})`.execute(write);
    await write.updateTable("span_block_counts").set({ amount: 1 }).where("block", "=", 0).execute();
    await write.deleteFrom("span_block_bits").where("block", "=", 0).execute();
    expect([await ask(), await isFound()]).toEqual([right, true]);
    expect((await waiting()) - usual).toBe(BLOCK_SPANS);
    expect(await verified()).toEqual({ blocks: 2, differences: [] });
    expect(await buildBlocks(store, 2)).toBe(1);
    expect(await waiting()).toBe(usual);
    expect(await database().selectFrom("span_blocks").select("summary_version").distinct().execute()).toEqual([
      { summary_version: SUMMARY_VERSION },
    ]);
    expect([await ask(), await isFound()]).toEqual([right, true]);
    expect(await verified()).toEqual({ blocks: 2, differences: [] });
  });

  test("a server summarises nothing once a newer one has changed the database", async () => {
    const write = store.storage.handle.write(store.context());
    await write.insertInto("span_block_marks").values({ block: 1 }).execute();
    const raise = (level: number) =>
      sql`update schema_migrations set oldest_server = ${level} where number = 1`.execute(write);
    await raise(SERVER_LEVEL + 1);
    const failure = await failureOf(blocksOf(store).catchUp(store.context()));
    expect([failure.code, failure.kind]).toEqual(["blocks.newer_database", "unavailable"]);
    expect(await countRows("span_block_marks")).toBe(1);
    await raise(1);
    expect(await buildBlocks(store, 2)).toBe(1);
  });

  if (driver.name === "postgres") {
    test("a block waits for a transaction that has taken ids in it and not committed yet", async () => {
      const blocks = blocksOf(store);
      const random = randomOf(2);
      const { promise: held, resolve: release } = Promise.withResolvers<void>();
      const { promise: inserted, resolve: hasInserted } = Promise.withResolvers<void>();
      const late = store.ingest.run({ traces: [needOf("late")] }, async (transaction) => {
        const trace = transaction.traces.get("late")!;
        const span = { ...blockSpan(random, 1), traceKey: "late" };
        const sums = { errors: 0, prompt: 0, completion: 0 };
        await transaction.insertSpans([
          {
            span,
            traceId: trace.id,
            projectId: trace.projectId,
            sums,
            onCycle: false,
            repeatsChild: false,
            cost: null,
          },
        ]);
        hasInserted();
        await held;
        throw new Error("given up");
      });
      await inserted;
      await storeBlockSpans(store, random, 9000, 13_500);
      for (let round = 0; round < 3; round++) expect(await blocks.catchUp(store.context())).toBe(0);
      release();
      expect(late).rejects.toThrow("given up");
      await late.catch(() => {});
      await buildBlocks(store, 3, blocks);
      expect(await verified()).toEqual({ blocks: 3, differences: [] });
    });

    test("of two servers one builds", async () => {
      await storeBlockSpans(store, randomOf(3), 13_500, 22_000);
      const [one, other] = [blocksOf(store), blocksOf(store)];
      await until(async () => {
        await Promise.all([one.catchUp(store.context()), other.catchUp(store.context())]);
        return (await createBlocksStore(store.storage).countBlocks(store.context())) === 5;
      }, 50_000);
      expect(await verified()).toEqual({ blocks: 5, differences: [] });
    });
  }

  const needOf = (traceKey: string) => {
    const { projectName, startUs, endUs } = blockSpan(randomOf(1), 1);
    return { traceKey, projectName, startUs, endUs, sessionKey: null };
  };

  test("spans that come later are built on top", async () => {
    await ingestBatch(store.ingest, []);
    await storeBlockSpans(store, randomOf(4), 30_000, 34_500);
    await buildBlocks(store, 3);
    const { blocks, differences } = await verified();
    expect(differences).toEqual([]);
    expect(blocks).toBeGreaterThanOrEqual(3);
  });
});
