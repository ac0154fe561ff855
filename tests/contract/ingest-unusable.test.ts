import { expect, test } from "bun:test";
import { sql } from "kysely";
import { createIntake } from "../../src/ingest/intake.ts";
import { forEachDriver } from "../support/drivers.ts";
import { failureOf } from "../support/failures.ts";
import { incomingSpan } from "../support/spans.ts";
import { openTestStorage } from "../support/storage.ts";

forEachDriver("ingest into a database that lacks a table", (driver) => {
  test("refuses all spans as unavailable, rejects none of them, and stores them when it is back", async () => {
    const { storage, ingest, context, close } = await openTestStorage(await driver.createDatabase());
    const intake = createIntake({ store: ingest, queues: 1, maxQueuedSpans: 1000, onBatch: () => {} });
    const write = storage.handle.write(context());
    const spans = [incomingSpan(), incomingSpan()];
    await intake.submit([incomingSpan()]);
    await sql`alter table span_payloads rename to elsewhere`.execute(write);
    expect(await failureOf(intake.submit(spans))).toMatchObject({ code: "storage.unusable", kind: "unavailable" });
    await sql`alter table elsewhere rename to span_payloads`.execute(write);
    expect(await intake.submit(spans)).toEqual({ rejections: [] });
    await close();
  });
});
