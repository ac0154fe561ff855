// Transactions across services: commit, rollback, joining by context, taking turns, and the order of locks.

import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { sql } from "kysely";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { DUPLICATE } from "../../src/storage/duplicate.ts";
import { createGatheredWrites } from "../../src/storage/gathered-writes.ts";
import type { CallContext } from "../../src/storage/storage.ts";
import { forEachDriver } from "../support/drivers.ts";
import { failureOf } from "../support/failures.ts";
import { openServerStorage, type ServerStorage } from "../support/server-storage.ts";
import { incomingSpan } from "../support/spans.ts";
import { locationOf, openIngestStore } from "../support/storage.ts";

forEachDriver("transactions", (driver) => {
  let store: ServerStorage;
  beforeAll(async () => {
    const url = await driver.createDatabase();
    store = await openServerStorage(url);
    const { ingest } = openIngestStore(locationOf(url));
    await ingestBatch(
      ingest,
      ["b", "ä", "a", "Z", "A"].map((traceKey) => incomingSpan({ traceKey })),
    );
    await ingest.close();
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    await store.storage.handle.write(store.context()).deleteFrom("pending_annotations").execute();
  });

  const add = (context: CallContext, body: string) =>
    context.database
      .write(context)
      .insertInto("pending_annotations")
      .values({ target: "span", target_key: "x", body, received_us: 1 })
      .execute();
  const bodies = async (context = store.context()) => {
    const rows = await context.database
      .read(context, "short")
      .selectFrom("pending_annotations")
      .select("body")
      .orderBy("id")
      .execute();
    return rows.map((row) => row.body);
  };

  test("what a transaction writes is seen inside at once, outside after its commit", async () => {
    const outside: string[][] = [];
    const result = await store.storage.transaction(store.context(), async (context) => {
      await add(context, "one");
      expect(await bodies(context)).toEqual(["one"]);
      outside.push(await bodies());
      return "result";
    });
    expect([result, outside, await bodies()]).toEqual(["result", [[]], ["one"]]);
  });

  test("gathered writes share a transaction, and only what is wrong with one of them rejects it", async () => {
    let transactions = 0;
    const write = createGatheredWrites<string, string>({
      storage: {
        transaction: (context, work) => {
          transactions++;
          return store.storage.transaction(context, work);
        },
      },
      ownContext: () => store.context(),
      bytesOf: (item) => item.length,
      async work(context, items) {
        for (const item of items) if (item !== "refused") await add(context, item);
        if (items.includes("broken")) throw new Error("broken");
        return items.map((item) => (item === "refused" ? { refusal: new Error(item) } : { result: item }));
      },
    });
    const together = (items: string[]) => Promise.allSettled(items.map((item) => write(item)));
    const settled = await together(["first", "one", "refused", "two", "three"]);
    expect(settled.map((one) => (one.status === "fulfilled" ? one.value : one.reason.message))).toEqual([
      ...["first", "one", "refused", "two", "three"],
    ]);
    expect([transactions, settled[2]!.status]).toEqual([2, "rejected"]);
    const [, ...others] = await together(["fourth", "five", "broken", "six"]);
    expect(others.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect((await bodies()).sort()).toEqual(["first", "five", "fourth", "one", "six", "three", "two"]);
  });

  test("a transaction that throws leaves nothing, and its error passes unchanged", async () => {
    const error = new Error("enough");
    const transaction = store.storage.transaction(store.context(), async (context) => {
      await add(context, "one");
      throw error;
    });
    expect(await transaction.catch((caught: unknown) => caught)).toBe(error);
    expect(await bodies()).toEqual([]);
  });

  test("a service called with the inner context joins the transaction, however deep, and shares its end", async () => {
    const inner = (context: CallContext) =>
      store.storage.transaction(context, async (joined) => {
        expect(joined.database.transaction).toBe(context.database.transaction);
        await add(joined, "inner");
      });
    await store.storage.transaction(store.context(), async (context) => {
      await add(context, "outer");
      await inner(context);
    });
    expect(await bodies()).toEqual(["outer", "inner"]);
    const failing = store.storage.transaction(store.context(), async (context) => {
      await inner(context);
      await store.storage.withTraces(context, ["a"], async (joined) => {
        expect(joined.database.transaction).toBe(context.database.transaction);
      });
      throw new Error("late");
    });
    expect(await failing.catch(String)).toBe("Error: late");
    expect(await bodies()).toEqual(["outer", "inner"]);
  });

  test("a statement that fails undoes its transaction, even if its error is swallowed", async () => {
    const failure = await failureOf(
      store.storage.transaction(store.context(), async (context) => {
        await add(context, "one");
        await sql`insert into projects (name, created_us, updated_us) values (null, 1, 1)`
          .execute(context.database.write(context))
          .catch(() => {});
        await add(context, "two").catch(() => {});
      }),
    );
    expect([failure.code, failure.kind]).toEqual(["storage.statement_failed", "internal"]);
    expect(await bodies()).toEqual([]);
  });

  test("transactions that touch the same trace take turns: no addition is lost", async () => {
    await Promise.all(
      Array.from({ length: 20 }, () =>
        store.storage.withTraces(store.context(), ["a"], async (context, [id]) => {
          const trace = await context.database
            .read(context, "short")
            .selectFrom("traces")
            .select("has_cycle")
            .where("id", "=", id!)
            .executeTakeFirstOrThrow();
          await context.database
            .write(context)
            .updateTable("traces")
            .set({ has_cycle: trace.has_cycle + 1 })
            .where("id", "=", id!)
            .execute();
        }),
      ),
    );
    const row = await store.storage.handle
      .read(store.context(), "short")
      .selectFrom("traces")
      .select("has_cycle")
      .where("trace_key", "=", "a")
      .executeTakeFirstOrThrow();
    expect(row.has_cycle).toBe(20);
  });

  test("traces are locked in the order of their keys by bytes, those that are gone left out, and there is no deadlock", async () => {
    const keysOf = async (context: CallContext, ids: readonly number[]) => {
      const rows = await context.database
        .read(context, "short")
        .selectFrom("traces")
        .select(["id", "trace_key"])
        .where(store.storage.dialect.inList(sql.ref("id"), ids))
        .execute();
      return ids.map((id) => rows.find((row) => row.id === id)?.trace_key);
    };
    const asked = ["b", "gone", "ä", "Z", "a", "A", "nul\0"];
    const found = await store.storage.withTraces(store.context(), asked, keysOf);
    expect(found).toEqual(["A", "Z", "a", "b", "ä"]);
    const orders = Array.from({ length: 12 }, (_, turn) => (turn % 2 === 0 ? asked : asked.toReversed()));
    const all = await Promise.all(orders.map((keys) => store.storage.withTraces(store.context(), keys, keysOf)));
    expect(all).toEqual(orders.map(() => found));
  });

  test("a row that may be there only once is an internal failure with a code of its own, in a transaction too", async () => {
    const insert = (context = store.context()) =>
      context.database
        .write(context)
        .insertInto("projects")
        .values({ name: "twice", created_us: 1, updated_us: 1, description: null, retention_policy_id: null })
        .execute();
    await insert();
    const works = [insert(), store.storage.transaction(store.context(), insert)];
    for (const failure of await Promise.all(works.map(failureOf))) {
      expect([failure.code, failure.kind]).toEqual([DUPLICATE, "internal"]);
      expect(failure.message).toMatch(/unique/i);
    }
  });

  test("any other constraint that is broken is an internal failure that names it", async () => {
    const key = { user_id: 999_999, name: "k", random_hash: new Uint8Array(1), created_us: 1 };
    const insert = store.storage.handle
      .write(store.context())
      .insertInto("api_keys")
      .values({ ...key, created_by_user_id: null, description: null, expires_us: null })
      .execute();
    const failure = await failureOf(insert);
    expect([failure.code, failure.kind]).toEqual(["storage.statement_failed", "internal"]);
    expect(failure.message).toMatch(/foreign key/i);
  });

  test("the store answers a ping and knows how much it holds", async () => {
    expect(await store.storage.readiness()).toEqual({ note: null });
    expect(await store.storage.usedBytes()).toBeGreaterThan(50_000);
  });
});
