// Ingestion and deletions at once on PostgreSQL. On SQLite there is one writer: what happens between two slices is in
// delete.test.ts.

import { expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { createDeletionService } from "../../src/modules/tracing/deletion/deletion.service.ts";
import { createTransferService } from "../../src/modules/tracing/deletion/transfer.service.ts";
import { verifyStorage } from "../../src/modules/tracing/traces/verify/verify.service.ts";
import { ownedTables } from "../../src/server/features.ts";
import { createRollupsService } from "../../src/summaries/rollups/rollups.service.ts";
import { forEachDriver } from "../support/drivers.ts";
import { incomingSpan, START_US } from "../support/spans.ts";
import { openTestStorage, type TestStorage } from "../support/storage.ts";

const BATCHES = 80;

const unless = (code: string) => (error: unknown) => {
  if ((error as { code?: string }).code !== code) throw error;
  return null;
};
const unlessRowsGone = unless("ingest.rows_gone");
const unlessGone = unless("spans.not_found");
const unlessFilling = unless("sessions.keeps_filling");

const deletionIn = ({ storage }: TestStorage) =>
  createDeletionService({
    ownedTables,
    storage,
    rollups: createRollupsService(storage),
    transfer: createTransferService(storage),
  });

forEachDriver("delete beside ingestion", (driver) => {
  if (driver.name === "sqlite") return;

  test("ingestion and deletions of every kind at once meet no deadlock and leave exact sums", async () => {
    const store = await openTestStorage(await driver.createDatabase());
    try {
      const deletion = deletionIn(store);
      const { storage } = store;
      const batchOf = (round: number) =>
        Array.from({ length: 60 }, (_, number) => {
          const trace = (round * 7 + number * 3) % 24;
          return incomingSpan({
            traceKey: `t${trace}`,
            spanKey: `s${round}-${number}`,
            parentKey: number % 4 === 0 ? null : `s${round}-${number - 1}`,
            kind: "LLM",
            promptTokens: 1,
            projectName: `p${trace % 3}`,
            sessionKey: trace % 5 === 0 ? null : `c${(trace + round) % 6}`,
            startUs: START_US + trace,
          });
        });
      let batchesStored = 0;
      let deletions = 0;
      const ingest = async (lane: number) => {
        for (let round = lane; round < BATCHES; ) {
          // As a sender does: again what could not be stored because its rows went away under it.
          const stored = await ingestBatch(store.ingest, batchOf(round)).catch(unlessRowsGone);
          if (stored === null) continue;
          round += 2;
          batchesStored++;
        }
      };
      const list = async () => {
        const context = store.context();
        const database = storage.handle.read(context, "short");
        const traces = await database
          .selectFrom("traces")
          .select(["id", "trace_key as traceKey", "span_count as spanCount", "project_id as projectId"])
          .where("span_count", ">", 0)
          .execute();
        const sessions = await database.selectFrom("sessions").select("id").execute();
        return { traces, sessions };
      };
      const deleteAll = async (kind: number) => {
        for (let round = 0; round < 30 && batchesStored < BATCHES; ) {
          const { traces, sessions } = await list();
          const trace = traces[(round * 5 + kind) % traces.length];
          const session = sessions[(round * 3 + kind) % sessions.length];
          if (trace === undefined || session === undefined) continue;
          const context = store.context();
          const period = { startUs: START_US + (round % 20), endUs: START_US + (round % 20) + 5 };
          if (kind === 0) await deletion.deleteTrace(context, trace);
          else if (kind === 1) await deletion.deletePeriod(context, trace.projectId, period);
          else if (kind === 2) await deletion.deleteSession(context, session.id).catch(unlessFilling);
          else await deleteSomeSpan(trace.id, trace.traceKey);
          deletions++;
          round++;
        }
      };
      const deleteSomeSpan = async (traceId: number, traceKey: string) => {
        const span = await storage.handle
          .read(store.context(), "short")
          .selectFrom("spans")
          .select("id")
          .where("trace_id", "=", traceId)
          .limit(1)
          .executeTakeFirst();
        if (span !== undefined) await deletion.deleteSpan(store.context(), { id: span.id, traceKey }).catch(unlessGone);
      };
      await Promise.all([ingest(0), ingest(1), ...[0, 1, 2, 3].map(deleteAll)]);
      expect(batchesStored).toBe(BATCHES);
      expect(deletions).toBeGreaterThan(10);
      expect(store.deadlocks()).toBe(0);
      expect((await verifyStorage(storage, store.context(), ownedTables)).differences).toEqual([]);
    } finally {
      await store.close();
    }
  }, 30_000);

  test("sessions that lose their last trace while others join them meet no deadlock", async () => {
    const store = await openTestStorage(await driver.createDatabase());
    try {
      const deletion = deletionIn(store);
      const batchOf = (round: number, startUs: number) =>
        Array.from({ length: 200 }, (_, number) =>
          incomingSpan({ traceKey: `t${round}-${number}`, sessionKey: `c${(number * 7) % 200}`, startUs }),
        );
      await ingestBatch(store.ingest, batchOf(0, START_US));
      const project = await store.storage.handle
        .read(store.context(), "short")
        .selectFrom("traces")
        .select("project_id as id")
        .executeTakeFirstOrThrow();
      for (let round = 1; round <= 10; round++) {
        const at = START_US + round;
        await Promise.all([
          ingestBatch(store.ingest, batchOf(round, at)),
          deletion.deletePeriod(store.context(), project.id, { startUs: START_US, endUs: at }),
        ]);
      }
      expect(store.deadlocks()).toBe(0);
      expect((await verifyStorage(store.storage, store.context(), ownedTables)).differences).toEqual([]);
    } finally {
      await store.close();
    }
  }, 30_000);
});
