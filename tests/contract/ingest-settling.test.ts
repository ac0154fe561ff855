import { expect, test } from "bun:test";
import { sql } from "kysely";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { verifyStorage } from "../../src/modules/tracing/traces/verify/verify.service.ts";
import { ownedTables } from "../../src/server/features.ts";
import type { CallContext } from "../../src/storage/storage.ts";
import { createRollupsService } from "../../src/summaries/rollups/rollups.service.ts";
import { forEachDriver } from "../support/drivers.ts";
import { incomingSpan } from "../support/spans.ts";
import { openTestStorage } from "../support/storage.ts";

forEachDriver("ingest beside settling", (driver) => {
  // On SQLite the recomputation holds the only writer: no batch can be between its locks and its spans.
  if (driver.name === "sqlite") return;

  test("spans that waited for a trace to be settled still reach the sums of their ancestors", async () => {
    const { storage, ingest, context, close } = await openTestStorage(await driver.createDatabase());
    try {
      const traceKey = "settled";
      const llm = { traceKey, kind: "LLM", promptTokens: 1, completionTokens: 0 } as const;
      await ingestBatch(ingest, [incomingSpan({ ...llm, spanKey: "a", parentKey: "b" })]);
      await ingestBatch(ingest, [
        incomingSpan({ ...llm, spanKey: "b", parentKey: "a" }),
        incomingSpan({ ...llm, spanKey: "root" }),
      ]);
      const rollups = createRollupsService(storage);
      let arrived: Promise<unknown> = Promise.resolve();
      await storage.withTraces(context(), [traceKey], async (inner) => {
        arrived = ingestBatch(ingest, [incomingSpan({ ...llm, spanKey: "leaf", parentKey: "root" })]);
        await untilSomebodyWaits(inner);
        expect(await rollups.settlePending(inner, 10)).toBe(1);
      });
      await arrived;
      expect((await verifyStorage(storage, context(), ownedTables)).differences).toEqual([]);
    } finally {
      await close();
    }
  });
});

/** Until another connection waits for a lock that this transaction holds. */
async function untilSomebodyWaits(context: CallContext): Promise<void> {
  for (let waiting = 0; waiting === 0; ) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(context.database.read(context, "short"));
    waiting = Number(rows[0]?.count);
  }
}
