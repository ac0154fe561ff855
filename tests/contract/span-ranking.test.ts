// Lists of spans by latency and tokens against brute force, on both databases: several parts of the ids, ties, values that are missing,
// paged in either direction, with and without conditions.

import { beforeAll, describe, expect, test } from "bun:test";
import { sql } from "kysely";
import { parseSpanFilter, parseTraceFilter } from "../../src/filter/filter.ts";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { type PageStart, startBehind } from "../../src/kernel/list.ts";
import type { SpanSort } from "../../src/modules/tracing/spans/list/span-list.rules.ts";
import {
  createSpanPagesStore,
  type SpanPageRequest,
  type SpanPageScope,
} from "../../src/modules/tracing/spans/list/span-pages.store.ts";
import { epochOf } from "../../src/storage/ingest-store.ts";
import { createCandidatesStore } from "../../src/summaries/blocks/candidates.store.ts";
import { forEachDriver } from "../support/drivers.ts";
import { fullScans, openQueryPlans } from "../support/query-plans.ts";
import { settled } from "../support/settled.ts";
import { incomingSpan, START_US } from "../support/spans.ts";
import { openTestStorage, type TestStorage } from "../support/storage.ts";
import { openForSuite } from "../support/suite.ts";

const SPANS = 4500;
const SPANS_AN_EPOCH = 1500;
const EPOCHS = [0, 1, 401];
const MINUTE_US = 60_000_000;
/** Ids of one epoch. */
const EPOCH_IDS = 65_536;
const hex = (number: number) => number.toString(16).padStart(8, "0");

/** Few values, so that many spans share one; two in three have no tokens. */
function spanOf(number: number) {
  const trace = Math.floor(number / 5);
  const startUs = START_US + ((number * 7919) % SPANS) * MINUTE_US;
  const counted = number % 3 === 0;
  return incomingSpan({
    projectName: trace % 10 === 0 ? "other" : "ranked",
    traceKey: `t${hex(trace)}`,
    spanKey: `s${hex(number)}`,
    parentKey: number % 5 === 0 ? null : `s${hex(number - (number % 5))}`,
    kind: counted ? "LLM" : "CHAIN",
    status: number % 11 === 0 ? "ERROR" : "OK",
    startUs,
    endUs: startUs + ((number * 31) % 97) * 1000,
    promptTokens: counted ? (number * 13) % 40 : null,
    completionTokens: counted && number % 2 === 0 ? 1 : null,
  });
}

/** The short spans of every project are judged, every other one twice. */
async function annotate(store: TestStorage): Promise<void> {
  const context = store.context();
  for (const identifier of ["", "again"]) {
    await sql`insert into span_annotations (span_id, name, identifier, annotator_kind, label, label_head, metadata, source, created_us, updated_us)
      select id, 'speed', ${identifier}, 'CODE', 'good', 'good', '{}', 'API', 0, 0 from spans
      where latency_us < 20000 and (${identifier} = '' or id % 2 = 0)`.execute(context.database.write(context));
  }
}

async function fill(store: TestStorage): Promise<void> {
  for (let first = 0; first < SPANS; first += 500) {
    if (first % SPANS_AN_EPOCH === 0) await moveToEpoch(store, EPOCHS[first / SPANS_AN_EPOCH]!);
    await ingestBatch(
      store.ingest,
      Array.from({ length: 500 }, (_, at) => spanOf(first + at)),
    );
  }
}

/** The next span gets the first id of the epoch. */
async function moveToEpoch(store: TestStorage, epoch: number): Promise<void> {
  if (epoch === 0) return;
  const last = epoch * EPOCH_IDS;
  const context = store.context();
  const statement =
    store.storage.dialect.name === "sqlite"
      ? sql`update sqlite_sequence set seq = ${last} where name = 'spans'`
      : sql`select setval(pg_get_serial_sequence('spans', 'id'), ${last})`;
  await statement.execute(context.database.write(context));
}

type Row = Record<
  "id" | "start_us" | "latency_us" | "sum_prompt" | "sum_completion" | "status" | "trace_id",
  number
> & {
  readonly prompt_tokens: number | null;
  readonly completion_tokens: number | null;
  readonly parent_key: string | null;
};

const values: Partial<Record<SpanSort, (row: Row) => number>> = {
  latencyMs: (row) => row.latency_us,
  tokenCountTotal: (row) => (row.prompt_tokens ?? 0) + (row.completion_tokens ?? 0),
  cumulativeTokenCountTotal: (row) => row.sum_prompt + row.sum_completion,
};

const periodStart = START_US + 500 * MINUTE_US;
const scopes: readonly { readonly name: string; readonly page: Partial<SpanPageScope>; keeps(row: Row): boolean }[] = [
  { name: "all spans", page: {}, keeps: () => true },
  { name: "roots", page: { roots: "orphans" }, keeps: (row) => row.parent_key === null },
  {
    name: "many that match",
    page: { filter: settled(parseSpanFilter("status_code == 'OK'")) },
    keeps: (row) => row.status === 1,
  },
  {
    name: "few that match",
    page: { filter: settled(parseSpanFilter("latency_ms == 3")) },
    keeps: (row) => row.latency_us === 3000,
  },
  { name: "a period", page: { startUs: periodStart }, keeps: (row) => row.start_us >= periodStart },
  {
    name: "those with an annotation",
    page: { filter: settled(parseSpanFilter("annotations['speed'].label == 'good'")) },
    keeps: (row) => row.latency_us < 20_000,
  },
  {
    name: "those with an annotation that match",
    page: { filter: settled(parseSpanFilter("annotations['speed'].label == 'good' and status_code == 'OK'")) },
    keeps: (row) => row.latency_us < 20_000 && row.status === 1,
  },
  { name: "traces that match", page: { traceFilter: settled(parseTraceFilter("num_spans > 99")) }, keeps: () => false },
];

forEachDriver("lists of spans by a value", (driver) => {
  const store = openForSuite(async () => openTestStorage(await driver.createDatabase()));
  let rows: Row[];
  let projectId: number;
  beforeAll(async () => {
    await fill(store);
    await annotate(store);
    const read = store.storage.handle.read(store.context(), "slow");
    const project = await read
      .selectFrom("projects")
      .select("id")
      .where("name", "=", "ranked")
      .executeTakeFirstOrThrow();
    projectId = project.id;
    rows = (await read.selectFrom("spans").selectAll().where("project_id", "=", projectId).execute()) as Row[];
  }, 60_000);

  const listing = () => createSpanPagesStore(store.storage.dialect);
  /** As where too many spans may match for their ids to be named. */
  const listingOfMany = () => {
    const candidates = { ...createCandidatesStore(store.storage.dialect), ofAnnotations: async () => null };
    return createSpanPagesStore(store.storage.dialect, candidates);
  };
  const pageOf = (given: Partial<SpanPageScope & SpanPageRequest>): SpanPageScope & SpanPageRequest => ({
    projectId,
    startUs: null,
    endUs: null,
    roots: "none",
    filter: null,
    traceFilter: null,
    sort: "latencyMs",
    order: "desc",
    start: null,
    limit: 100,
    ...given,
  });

  test("the spans lie in several epochs", () => {
    expect([...new Set(rows.map(({ id }) => epochOf(id)))]).toEqual(EPOCHS);
  });

  for (const [sort, rankOf] of Object.entries(values)) {
    describe.each(["asc", "desc"] as const)(`${sort} %s`, (direction) => {
      test.each(scopes)("$name, page after page", async ({ page, keeps }) => {
        const factor = direction === "asc" ? 1 : -1;
        const expected = rows
          .filter(keeps)
          .sort((one, other) => factor * (rankOf(one) - rankOf(other) || one.id - other.id))
          .map((row) => [row.id, rankOf(row)]);
        const found: (number | null)[][] = [];
        for (let start: PageStart | null = null; ; ) {
          const rowsOfPage = { ...page, sort: settled(sort as SpanSort), order: direction, start, limit: 700 };
          const asked = pageOf(rowsOfPage);
          const part = await listingOfMany().listOfProject(store.context(), asked, asked);
          found.push(...part.places.map(({ rowId, value }) => [rowId, value]));
          expect(part.items.map(({ id }) => id)).toEqual(part.places.map(({ rowId }) => rowId));
          if (part.next === null) break;
          start = startBehind(part.places.at(-1)!);
        }
        expect(found).toEqual(expected);
      });
    });
  }

  test("the first rows of each part of the ids are read in their order, those of roots too", async () => {
    const plans = openQueryPlans(store);
    try {
      await plans.analyze();
      // Of so few that may be roots PostgreSQL takes any of their indexes.
      const orders = [
        ["latencyMs", "none", "spans_by_latency"],
        ["tokenCountTotal", "none", "spans_by_tokens"],
        ["cumulativeTokenCountTotal", "none", "spans_by_sum_tokens"],
        ["latencyMs", "orphans", "roots_by_"],
        ["tokenCountTotal", "orphans", "roots_by_"],
        ["cumulativeTokenCountTotal", "orphans", "roots_by_"],
      ] as const;
      for (const [sort, roots, index] of orders) {
        const made = await plans.plansOf((context) =>
          listing().listOfProject(context, pageOf({ roots }), pageOf({ sort: settled(sort) })),
        );
        const order =
          driver.name === "sqlite" ? "SEARCH rows USING PRIMARY KEY (block=? AND sort=? AND project_id=?" : index;
        expect(made.join("\n")).toContain(order);
        // Among so few spans PostgreSQL looks at all of them for those of a group.
        if (roots === "none" || driver.name === "sqlite") expect(made.flatMap(fullScans)).toEqual([]);
      }
    } finally {
      await plans.close();
    }
  });
});
