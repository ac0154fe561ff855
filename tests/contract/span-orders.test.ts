// Keys and orders of spans against brute force, on both databases: over several sorted blocks and the spans behind them, while late
// parents change sums in old blocks, spans are deleted and traces move, and after a transaction that was left.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { sql } from "kysely";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { type PageStart, startBehind } from "../../src/kernel/list.ts";
import type { IncomingSpan } from "../../src/model/span.ts";
import { BLOCK_SPANS } from "../../src/model/summaries/blocks/block.ts";
import { createDeletionService } from "../../src/modules/tracing/deletion/deletion.service.ts";
import { createTransferService } from "../../src/modules/tracing/deletion/transfer.service.ts";
import type { SpanSort } from "../../src/modules/tracing/spans/list/span-list.rules.ts";
import { createSpanPagesStore } from "../../src/modules/tracing/spans/list/span-pages.store.ts";
import { createSpanLookupStore } from "../../src/modules/tracing/spans/span-lookup.store.ts";
import { verifyStorage } from "../../src/modules/tracing/traces/verify/verify.service.ts";
import { ownedTables } from "../../src/server/features.ts";
import type { IngestStore } from "../../src/storage/ingest-store.ts";
import type { StorageLocation } from "../../src/storage/location.ts";
import { migrations } from "../../src/storage/migrations.ts";
import { migrateStorage } from "../../src/storage/open.ts";
import { createRollupsService } from "../../src/summaries/rollups/rollups.service.ts";
import { type Random, randomOf } from "../support/blocks.ts";
import { forEachDriver } from "../support/drivers.ts";
import { settled } from "../support/settled.ts";
import { incomingSpan, START_US } from "../support/spans.ts";
import { openTestStorage, type TestStorage } from "../support/storage.ts";

const TRACE_SPANS = 8;
const BATCH = 500;
/** Two blocks and some more, without the spans that come later. */
const TRACES = 1600;

/** Takes back the migrations that make them. */
const backwards: Readonly<Record<StorageLocation["kind"], readonly string[]>> = {
  sqlite: [
    "drop trigger spans_change_orders",
    "drop trigger spans_leave_orders",
    "drop trigger spans_lose_parents",
    "drop table sorted_blocks",
    "drop table span_keys",
    "drop table span_orders",
  ],
  postgres: [
    "drop trigger spans_lose_parents on spans",
    "drop function spans_lose_parents",
    "alter table spans drop column may_be_root",
  ],
};

/** Statements that take a row from a root, whose id follows, and its description. */
const damage: Readonly<Record<StorageLocation["kind"], { readonly harm: string; readonly differences: string[] }>> = {
  sqlite: {
    harm: "delete from span_orders where sort in (0, 5) and span_id",
    differences: [
      "1 spans without their row in the order of latency",
      "1 spans that may be roots without their row in the order of sumTokens",
    ],
  },
  postgres: {
    harm: "update spans set may_be_root = 0 where id",
    differences: ["1 spans that may be roots and are not marked so"],
  },
};

/** Statements that make what the migration removes. */
function removedIndexes(kind: StorageLocation["kind"]): string[] {
  const names = [...migrations[kind][3]!.sql.matchAll(/^drop index (\w+);$/gm)].map(([, name]) => name!);
  return names.map((name) => `create index ${name} on spans (epoch)`);
}

interface Row {
  readonly id: number;
  readonly trace_id: number;
  readonly project_id: number;
  readonly span_key: string;
  readonly parent_key: string | null;
  readonly start_us: number;
  readonly latency_us: number;
  readonly prompt_tokens: number | null;
  readonly completion_tokens: number | null;
  readonly sum_prompt: number;
  readonly sum_completion: number;
}

const values: Partial<Record<SpanSort, (row: Row) => number>> = {
  latencyMs: (row) => row.latency_us,
  tokenCountTotal: (row) => (row.prompt_tokens ?? 0) + (row.completion_tokens ?? 0),
  cumulativeTokenCountTotal: (row) => row.sum_prompt + row.sum_completion,
};

/** Every span below the first of its trace; the first one comes last, and of one trace in five never. Few values, so that many spans
 *  share one. */
function spanOf(random: Random, trace: number, position: number): IncomingSpan {
  const startUs = START_US + trace * 1000 + position;
  const counted = random() < 0.4;
  return incomingSpan({
    projectName: `p${trace % 3 === 0 ? 0 : 1}`,
    traceKey: `trace ${trace}`,
    spanKey: `${trace} ${position}`,
    parentKey: position === 0 ? null : `${trace} ${position >> 1}`,
    kind: counted ? "LLM" : "CHAIN",
    startUs,
    endUs: startUs + Math.floor(random() * 40) * 1000,
    promptTokens: counted ? Math.floor(random() * 30) : null,
    completionTokens: counted ? Math.floor(random() * 3) : null,
  });
}

forEachDriver("keys and orders of spans", (driver) => {
  let store: TestStorage;
  const random = randomOf(11);
  /** Spans whose place in the order of arrival is left to a moment. */
  let late: IncomingSpan[] = [];
  let traces = 0;

  beforeAll(async () => {
    store = await openTestStorage(await driver.createDatabase());
  });
  afterAll(async () => {
    expect(store.deadlocks()).toBe(0);
    await store.close();
  });

  const ingest = async (spans: readonly IncomingSpan[], into: IngestStore = store.ingest) => {
    for (let first = 0; first < spans.length; first += BATCH)
      await ingestBatch(into, spans.slice(first, first + BATCH));
  };

  /** Stores the spans of new traces; of some the parents are kept for later. */
  async function storeTraces(count: number): Promise<void> {
    const spans: IncomingSpan[] = [];
    for (let trace = traces; trace < traces + count; trace++) {
      for (let position = TRACE_SPANS - 1; position >= 0; position--) {
        const span = spanOf(random, trace, position);
        const never = position === 0 && trace % 5 === 0;
        if (position < 3 && random() < 0.3) late.push(span);
        else if (!never) spans.push(span);
      }
    }
    traces += count;
    await ingest(spans);
  }

  const database = () => store.storage.handle.read(store.context(), "slow");
  const allRows = async () =>
    (
      await sql<Row>`select id, trace_id, project_id, span_key, parent_key, start_us, latency_us, prompt_tokens,
      completion_tokens, sum_prompt, sum_completion from spans order by id`.execute(database())
    ).rows;
  const byKey = (keys: readonly string[]) =>
    allRows().then((rows) => rows.filter(({ span_key }) => keys.includes(span_key)));
  const traceRows = async (keys: readonly string[]) =>
    await database()
      .selectFrom("traces")
      .select(["id", "trace_key as traceKey", "span_count as spanCount"])
      .where("trace_key", "in", keys)
      .execute();

  function rootsOf(rows: readonly Row[], orphans: boolean): Set<number> {
    const stored = new Set(rows.map((row) => `${row.trace_id} ${row.span_key}`));
    const roots = new Map<number, Row>();
    for (const row of rows) {
      const isTop = row.parent_key === null || (orphans && !stored.has(`${row.trace_id} ${row.parent_key}`));
      const other = roots.get(row.trace_id);
      if (isTop && (other === undefined || row.start_us <= other.start_us)) roots.set(row.trace_id, row);
    }
    return new Set([...roots.values()].map(({ id }) => id));
  }

  async function listed(
    projectId: number,
    sort: SpanSort,
    order: "asc" | "desc",
    roots: "none" | "strict" | "orphans",
  ) {
    const pages = createSpanPagesStore(store.storage.dialect);
    const found: (number | null)[][] = [];
    for (let start: PageStart | null = null; ; ) {
      const scope = { projectId, startUs: null, endUs: null, roots, filter: null, traceFilter: null } as const;
      const request = { sort: settled(sort), order, start, limit: 3000 };
      const page = await pages.listOfProject(store.context(), scope, request);
      found.push(...page.places.map(({ rowId, value }) => [rowId, value]));
      if (page.next === null) return found;
      start = startBehind(page.places.at(-1)!);
    }
  }

  async function expectExact(): Promise<void> {
    expect((await verifyStorage(store.storage, store.context(), ownedTables)).differences).toEqual([]);
    const rows = await allRows();
    for (const roots of ["none", "strict", "orphans"] as const) {
      const chosen = roots === "none" ? null : rootsOf(rows, roots === "orphans");
      for (const projectId of new Set(rows.map((row) => row.project_id))) {
        for (const [sort, rankOf] of Object.entries(values)) {
          for (const order of ["asc", "desc"] as const) {
            const factor = order === "asc" ? 1 : -1;
            const expected = rows
              .filter((row) => row.project_id === projectId && (chosen === null || chosen.has(row.id)))
              .sort((one, other) => factor * (rankOf(one) - rankOf(other) || one.id - other.id))
              .map((row) => [row.id, rankOf(row)]);
            expect(await listed(projectId, sort as SpanSort, order, roots)).toEqual(expected);
          }
        }
      }
    }
    const lookup = createSpanLookupStore(store.storage.dialect);
    const some = rows.filter((_, number) => number % 397 === 0);
    for (const { span_key, id } of some) expect((await lookup.findNewest(store.context(), span_key))?.id).toBe(id);
    const keys = some.map(({ span_key }) => span_key);
    expect(await lookup.findTaken(store.context(), [...keys, "none has this"])).toEqual(new Set(keys));
    expect(await lookup.findNewest(store.context(), "none has this")).toBeNull();
  }

  test("are those of the spans while blocks fill", async () => {
    await storeTraces(TRACES);
    const newest = (await allRows()).at(-1)!.id;
    expect(newest).toBeGreaterThan(2 * BLOCK_SPANS);
    expect(newest).toBeLessThan(3 * BLOCK_SPANS);
    await expectExact();
  });

  test("after parents came to spans of old blocks, and their sums with them", async () => {
    const half = late.splice(0, late.length >> 1);
    await ingest(half);
    // And below parents of old blocks spans with tokens, which climb.
    const below = Array.from({ length: 300 }, (_, number) =>
      incomingSpan({
        projectName: "p0",
        traceKey: `trace ${number * 3}`,
        spanKey: `${number * 3} below`,
        parentKey: `${number * 3} ${TRACE_SPANS - 1}`,
        kind: "LLM",
        promptTokens: 1 + (number % 4),
        startUs: START_US + number * 3000 + 100,
        endUs: START_US + number * 3000 + 200,
      }),
    );
    await ingest(below);
    await expectExact();
  });

  test("after a transaction that sorted a block and was left", async () => {
    const before = await allRows();
    const broken: IngestStore = {
      ...store.ingest,
      run: (needs, work) =>
        store.ingest.run(needs, async (transaction) => {
          await work(transaction);
          throw new Error("left");
        }),
    };
    const spans = Array.from({ length: BLOCK_SPANS + 10 }, (_, number) =>
      spanOf(random, 100_000 + (number >> 3), number & 7),
    );
    await expect(ingestBatch(broken, spans)).rejects.toThrow("left");
    expect(await allRows()).toEqual(before);
    await storeTraces(Math.ceil(BLOCK_SPANS / TRACE_SPANS));
    await expectExact();
  });

  const deletion = () =>
    createDeletionService({
      ownedTables,
      storage: store.storage,
      rollups: createRollupsService(store.storage),
      transfer: createTransferService(store.storage),
    });

  test("after spans and traces were deleted", async () => {
    const gone = Array.from({ length: 40 }, (_, number) => `${number * 7} ${1 + (number % 3)}`);
    for (const { id, span_key } of await byKey(gone)) {
      await deletion().deleteSpan(store.context(), { id, traceKey: `trace ${span_key.split(" ")[0]}` });
    }
    const whole = Array.from({ length: 200 }, (_, number) => `trace ${number * 2}`);
    for (const trace of await traceRows(whole)) await deletion().deleteTrace(store.context(), trace);
    await expectExact();
  });

  test("after traces moved to another project, and children came to them there", async () => {
    const keys = Array.from({ length: 150 }, (_, number) => `trace ${number * 3 + 1}`);
    const ids = (await traceRows(keys)).map(({ id }) => id);
    const target = await database()
      .selectFrom("projects")
      .select("id")
      .where("name", "=", "p0")
      .executeTakeFirstOrThrow();
    await createTransferService(store.storage).transferTraces(store.context(), ids, target.id);
    await ingest(late);
    late = [];
    await expectExact();
  });

  test("are made of what the release before has stored", async () => {
    const { kind } = store.location;
    const write = store.storage.handle.write(store.context());
    for (const statement of backwards[kind]) await sql.raw(statement).execute(write);
    for (const index of removedIndexes(kind)) await sql.raw(index).execute(write);
    const taken = migrations[kind].filter(({ name }) => name === "span_orders");
    const numbers = taken.map(({ number }) => number);
    await sql`delete from schema_migrations where number in (${sql.join(numbers)})`.execute(write);
    expect(await migrateStorage(store.location)).toEqual(numbers);
    await expectExact();
  });

  test("are of one snapshot while blocks fill", async () => {
    const project = await database()
      .selectFrom("projects")
      .select("id")
      .where("name", "=", "p1")
      .executeTakeFirstOrThrow();
    const hour = 3_600_000_000;
    const longest = Array.from({ length: 50 }, (_, number) =>
      incomingSpan({
        projectName: "p1",
        traceKey: "long",
        spanKey: `long ${number}`,
        startUs: START_US,
        endUs: START_US + hour + number,
      }),
    );
    await ingest(longest);
    const scope = {
      projectId: project.id,
      startUs: null,
      endUs: null,
      roots: "none",
      filter: null,
      traceFilter: null,
    } as const;
    const request = { sort: settled("latencyMs"), order: "desc", start: null, limit: 50 } as const;
    const lookup = createSpanLookupStore(store.storage.dialect);
    let arriving = true;
    const arrival = (async () => {
      for (let round = 0; round < 20; round++) await storeTraces(40);
      arriving = false;
    })();
    let asked = 0;
    while (arriving) {
      const pages = createSpanPagesStore(store.storage.dialect);
      const page = await pages.listOfProject(store.context(), scope, request);
      expect(page.items.map(({ spanKey }) => spanKey)).toEqual(longest.map(({ spanKey }) => spanKey).reverse());
      expect(await lookup.findNewest(store.context(), `long ${asked++ % 50}`)).not.toBeNull();
    }
    await arrival;
    await expectExact();
  });

  test("a row that is missing is named by `spanlight verify`", async () => {
    const rows = await allRows();
    const id = rows.find(({ parent_key }) => parent_key === null)!.id;
    const write = store.storage.handle.write(store.context());
    const { harm, differences } = damage[store.location.kind];
    await sql.raw(`${harm} = ${id}`).execute(write);
    expect((await verifyStorage(store.storage, store.context(), ownedTables)).differences).toEqual(differences);
  });
});
