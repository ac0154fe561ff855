// Lists narrowed by equal attributes and by annotations are the same rows in the same order with and without candidates, at every stage
// of building blocks, after deletions and moves.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { sql } from "kysely";
import { parseSpanFilter } from "../../src/filter/filter.ts";
import { type Json, parseJson } from "../../src/kernel/json.ts";
import { startAt, startBehind } from "../../src/kernel/list.ts";
import { createDeletionService } from "../../src/modules/tracing/deletion/deletion.service.ts";
import { createTransferService } from "../../src/modules/tracing/deletion/transfer.service.ts";
import type { SpanSort } from "../../src/modules/tracing/spans/list/span-list.rules.ts";
import {
  createSpanListStore,
  type SpanListRequest,
  type SpanListScope,
} from "../../src/modules/tracing/spans/list/span-list.store.ts";
import {
  createSpanPagesStore,
  type SpanPageRequest,
  type SpanPageScope,
} from "../../src/modules/tracing/spans/list/span-pages.store.ts";
import { spanFilterOf } from "../../src/modules/tracing/spans/span-filter.rules.ts";
import { ownedTables } from "../../src/server/features.ts";
import { type CandidatesStore, createCandidatesStore } from "../../src/summaries/blocks/candidates.store.ts";
import { createRollupsService } from "../../src/summaries/rollups/rollups.service.ts";
import { buildBlocks, oddJson, oddTexts, type Random, randomOf, storeBlockSpans } from "../support/blocks.ts";
import { forEachDriver } from "../support/drivers.ts";
import { settled } from "../support/settled.ts";
import { START_US } from "../support/spans.ts";
import { openTestStorage, type TestStorage } from "../support/storage.ts";

const SPANS = 9000;
const quoted = (text: string) => `'${text.replaceAll("'", "\\'")}'`;

/** Conditions on odd values in every way of reading them, and what `and`, `or` and `not` make of equalities. */
const conditions: readonly string[] = [
  ...oddTexts.map((text) => `attributes['odd'] == ${quoted(text)}`),
  ...["1", "1.0", "0", "0.1", "-0.0", "1e-301", "1e300", "9007199254740993", "9007199254740992", "0.3"].map(
    (number) => `attributes['odd'] == ${number}`,
  ),
  ...["True", "False"].map((value) => `attributes['odd'] == ${value}`),
  "1 == attributes['odd']",
  "attributes['odd'] in ['1', 'é', '0.1']",
  "attributes['odd'] in [1, 0.1, 1e300]",
  "attributes['odd'] != '1' and attributes['rare'] == 2",
  "not (attributes['odd'] == '1') and attributes['rare'] == 1",
  "attributes['odd'] == '1' or attributes['number'] == 77",
  "attributes['odd'] == '1' or attributes['number'] < 5",
  "attributes['list'][0] == 1",
  "attributes['list'][1]['x'] == '1'",
  "attributes['list'][1]['x'] == 1",
  "attributes['list'] == '[1]'",
  "attributes['number'] == 4321",
  "attributes['number'] > 8990",
  "attributes['number'] > 100000",
  // The bounds of the last complete block, and of the first.
  "attributes['number'] >= 8190 and attributes['number'] < 8191",
  "attributes['number'] <= 0",
  "3 >= attributes['number'] and attributes['rare'] != 2",
  "attributes['number'] >= 4090 and attributes['number'] < 4100",
  "attributes['number'] < 5 or attributes['rare'] == 2",
  "not (attributes['number'] > 5)",
  "attributes['list'][0] > 0",
  "latency_ms > 100000000",
  "latency_ms > 70001",
  "latency_ms < 0.5",
  "latency_ms >= 4.5 and attributes['rare'] == 2",
  "latency_ms < 0.01 or latency_ms > 3600000",
  "2 > latency_ms",
  "attributes['list'][1]['x'] < 1",
  ...["> 1e299", "< 0", "< -1e300", ">= 9007199254740993", "> 9007199254740992", "> 0.3", "<= 1e-301"].map(
    (bound) => `attributes['odd'] ${bound}`,
  ),
  "attributes['odd'] > 0 and attributes['odd'] < 1e-290",
  "attributes['number'] == '4321'",
  "attributes['text'] == 'value 8765'",
  "attributes['rare'] == 3",
  "attributes['rare'] == '3' and status_code == 'ERROR'",
  "attributes['rare'] == 3 and attributes['often'] == 'of 1'",
  "attributes['often'] == 'of 1'",
  "attributes['absent'] == 'nothing'",
  "user.id == 'user 7' and attributes['rare'] == 4",
  "len([d for d in cost_details]) == 0 and attributes['number'] == 3",
  "attributes['rare'] == 2 and attributes['odd'] is None and name == 'step 3'",
  "name == 'rare 3'",
  "name in ['rare 1', 'rare 4'] and status_code == 'OK'",
  "parent_id == 'parent 4100'",
  "'parent 41' == parent_id or name == 'rare 2'",
  "name == 'step 1' or name == 'rare 2'",
  "annotations['rare'].label == 'bad'",
  "annotations['rare'].label in ['bad', 'worse'] and annotations['rare'].score < 3",
  "annotations['rare'].label != 'bad'",
  "annotations['rare'] and attributes['rare'] != 2",
  "annotations['rare'].score is None",
  "annotations['rare'].label == 'bad' or annotations['often'].score == 7",
  "annotations['rare'].label == 'bad' or name == 'rare 2'",
  "annotations['rare'].score > annotations['often'].score",
  "annotations['often'].label == 'good'",
  "annotations['often'].score > 20 and attributes['number'] < 8000",
  "annotations['often'].score > 60 and annotations['often'].identifier == 'rev-2'",
  `annotations['long'].label == '${"long ".repeat(40)}1'`,
  "trace_annotations['seldom'].label == 'bad' and status_code == 'OK'",
  "trace_annotations['seldom'] or annotations['rare'].score < 2",
  "annotations['nobody'].label == 'used it'",
];

/** Of a few spans and traces, and, more than can be named one by one, of the second half of the spans. */
async function storeAnnotated({ storage, context }: TestStorage): Promise<void> {
  const database = storage.handle.write(context());
  const columns = sql`name, identifier, label, label_head, score, annotator_kind, metadata, source, created_us, updated_us`;
  const rest = sql`'HUMAN', '{}', 'API', 0, 0`;
  const label = sql`case when id % 3 = 0 then 'bad' when id % 3 = 1 then 'worse' end`;
  const long = sql`${"long ".repeat(40)}`;
  await sql`insert into span_annotations (span_id, ${columns})
    select id, 'rare', '', ${label}, ${label}, id % 7, ${rest} from spans where id % 211 = 0`.execute(database);
  await sql`insert into span_annotations (span_id, ${columns})
    select id, 'long', '', ${long} || (id % 2), substr(${long}, 1, 100), null, ${rest} from spans where id % 500 = 1`.execute(
    database,
  );
  for (const identifier of ["", "rev-1", "rev-2", "rev-3", "rev-4"]) {
    await sql`insert into span_annotations (span_id, ${columns})
      select id, 'often', ${sql.lit(identifier)}, 'good', 'good', id % 100, ${rest} from spans where id > ${SPANS / 2}`.execute(
      database,
    );
  }
  await sql`insert into trace_annotations (trace_id, ${columns})
    select id, 'seldom', '', 'bad', 'bad', null, ${rest} from traces where id % 53 = 0`.execute(database);
}
const sorts: readonly SpanSort[] = ["arrival", "startTime", "latencyMs", "tokenCountPrompt", "endTime"];

const withoutFilters: CandidatesStore = {
  find: async () => null,
  ofAnnotations: async () => null,
  ofPeriod: async () => null,
};

forEachDriver("span candidates", (driver) => {
  let store: TestStorage;
  let projects: number[];
  /** How often the filters of blocks narrowed a list. */
  let narrowed = 0;
  /** How often a list was one of spans with annotations. */
  let annotated = 0;
  /** How often the arrivals of a period were read by their blocks. */
  let byPeriod = 0;
  beforeAll(async () => {
    store = await openTestStorage(await driver.createDatabase());
    await storeBlockSpans(store, randomOf(11), 0, SPANS);
    await storeAnnotated(store);
    const rows = await store.storage.handle
      .read(store.context(), "short")
      .selectFrom("projects")
      .select("id")
      .orderBy("id")
      .execute();
    projects = rows.map(({ id }) => id);
  });
  afterAll(() => store.close());

  function storesOf(counting: boolean) {
    const { dialect } = store.storage;
    const real = createCandidatesStore(dialect);
    const candidates: CandidatesStore = {
      async find(context, required, range) {
        const found = await real.find(context, required, range);
        if (found !== null) narrowed++;
        return found;
      },
      async ofAnnotations(context, rows, range) {
        const found = await real.ofAnnotations(context, rows, range);
        if (found !== null) annotated++;
        return found;
      },
      async ofPeriod(context, range) {
        const found = await real.ofPeriod(context, range);
        if (found !== null && found.length > 1) byPeriod++;
        return found;
      },
    };
    const used = counting ? candidates : withoutFilters;
    return { rows: createSpanPagesStore(dialect, used), list: createSpanListStore(dialect, used) };
  }

  const pick = <Value>(random: Random, values: readonly Value[]): Value =>
    values[Math.floor(random() * values.length)]!;

  function pageOf(random: Random, condition: string): SpanPageScope & SpanPageRequest {
    const range = random() < 0.3;
    const startUs = START_US + Math.floor(random() * 3_600_000_000 * 4);
    return {
      projectId: pick(random, projects),
      startUs: range ? startUs : null,
      endUs: range && random() < 0.7 ? startUs + 3 * 3_600_000_000 : null,
      roots: "none",
      filter: settled(parseSpanFilter(condition)),
      traceFilter: null,
      sort: settled(pick(random, sorts)),
      order: pick(random, ["asc", "desc"]),
      start: null,
      limit: pick(random, [1, 7, 50, 1000]),
    };
  }

  /** Two pages of every other condition, in some order. */
  async function compareConditions(seed: number): Promise<void> {
    const random = randomOf(seed);
    const [used, plain] = [storesOf(true).rows, storesOf(false).rows];
    for (const condition of conditions.filter((_condition, number) => number % 2 === seed % 2)) {
      let page = pageOf(random, condition);
      for (let number = 0; number < 2; number++) {
        const expected = await plain.listOfProject(store.context(), page, page);
        const found = await used.listOfProject(store.context(), page, page);
        const name = JSON.stringify({ condition, ...page, filter: undefined });
        expect({ name, rows: found }).toEqual({ name, rows: expected });
        const last = expected.places.at(-1);
        if (last === undefined) break;
        page = { ...page, start: startBehind(last) };
      }
    }
  }

  /** The same for the attributes of the REST list. */
  async function compareAttributes(seed: number): Promise<void> {
    const random = randomOf(seed);
    const [used, plain] = [storesOf(true).list, storesOf(false).list];
    const values: Json[] = [...oddTexts, ...oddJson.map(parseJson)];
    const filters = [
      ...values.map((value) => [{ path: ["odd"], value }]),
      ...["0", "00", "1", "70"].map((position) => [{ path: ["list", position], value: 1 }]),
      [{ path: ["list", "1", "x"], value: "1" }],
      [{ path: ["number"], value: 4321 }],
      [
        { path: ["rare"], value: 2 },
        { path: ["often"], value: "of 2" },
      ],
      [{ path: ["often"], value: "of 2" }],
    ];
    for (const attributes of [...filters, []].filter((_filter, number) => number % 2 === seed % 2)) {
      let rows: SpanListScope & SpanListRequest = {
        projectId: pick(random, projects),
        filter: { ...spanFilterOf({}), attributes, names: random() < 0.1 ? ["rare 2", "step 1"] : null },
        sort: pick(random, ["arrival", "startTime"]),
        order: pick(random, ["asc", "desc"]),
        start: null,
        limit: pick(random, [2, 20, 200]),
      };
      for (let number = 0; number < 2; number++) {
        const expected = await plain.list(store.context(), rows, rows);
        const name = JSON.stringify(rows);
        expect({ name, rows: await used.list(store.context(), rows, rows) }).toEqual({ name, rows: expected });
        const last = expected.places.at(-1);
        if (last === undefined) break;
        rows = { ...rows, start: startAt(last) };
      }
    }
  }

  async function compareAll(seed: number): Promise<number> {
    [narrowed, annotated] = [0, 0];
    await compareConditions(seed);
    expect(annotated).toBeGreaterThan(3);
    await compareAttributes(seed);
    return narrowed;
  }

  test("nothing is narrowed before there are blocks", async () => {
    expect(await compareAll(1)).toBe(0);
  });

  test("lists are the same while blocks are built, and once they are", async () => {
    await buildBlocks(store, 1);
    await compareAll(2);
    await buildBlocks(store, 2);
    for (const seed of [3, 4]) expect(await compareAll(seed)).toBeGreaterThan(10);
  });

  test("lists are the same after deletions and moves, before and after blocks are counted again", async () => {
    const { storage } = store;
    const transfer = createTransferService(storage);
    const deletion = createDeletionService({ ownedTables, storage, rollups: createRollupsService(storage), transfer });
    const traces = await storage.handle
      .read(store.context(), "short")
      .selectFrom("traces")
      .select(["id", "trace_key as traceKey", "span_count as spanCount"])
      .where("project_id", "=", projects[0]!)
      .execute();
    for (const trace of traces.slice(0, 40)) await deletion.deleteTrace(store.context(), trace);
    const moved = traces.slice(40, 60).map(({ id }) => id);
    await transfer.transferTraces(store.context(), moved, projects[1]!);
    expect(await compareAll(5)).toBeGreaterThan(10);
    await buildBlocks(store, 2);
    expect(await compareAll(6)).toBeGreaterThan(10);
  });

  test("arrivals of a period that match often are read by the blocks of the period", async () => {
    byPeriod = 0;
    const [used, plain] = [storesOf(true).rows, storesOf(false).rows];
    const period = { startUs: START_US + 3_600_000_000, endUs: START_US + 5 * 3_600_000_000 };
    for (const order of ["asc", "desc"] as const) {
      let page: SpanPageScope & SpanPageRequest = {
        ...pageOf(randomOf(1), "attributes['number'] >= 0 and name != 'step 1'"),
        ...period,
        sort: "arrival",
        order,
        limit: 50,
      };
      for (let number = 0; number < 3; number++) {
        const found = await used.listOfProject(store.context(), page, page);
        expect(found.items.length).toBe(50);
        expect(found).toEqual(await plain.listOfProject(store.context(), page, page));
        page = { ...page, start: startBehind(found.places.at(-1)!) };
      }
    }
    expect(byPeriod).toBe(6);
  });

  test("a name and an id are found like an attribute", async () => {
    const { rows, list } = storesOf(true);
    const [span] = await store.storage.handle
      .read(store.context(), "short")
      .selectFrom("spans")
      .select(["id", "span_key", "project_id"])
      .where("name", "=", "rare 5")
      .execute();
    narrowed = 0;
    const page = { ...pageOf(randomOf(1), `span_id == '${span!.span_key}'`), startUs: null, endUs: null };
    const found = await rows.listOfProject(store.context(), { ...page, projectId: span!.project_id }, page);
    expect(found.items.map(({ id }) => id)).toEqual([span!.id]);
    const scope = { projectId: span!.project_id, filter: { ...spanFilterOf({}), names: ["rare 5"] } };
    const named = await list.list(store.context(), scope, { sort: "arrival", order: "asc", start: null, limit: 1 });
    expect(named.items.map(({ id }) => id)).toEqual([span!.id]);
    expect(narrowed).toBe(2);
  });

  test("spans above the last block are found at once", async () => {
    await storeBlockSpans(store, randomOf(12), SPANS, SPANS + 300);
    const page = { ...pageOf(randomOf(1), `attributes['number'] == ${SPANS + 41}`), startUs: null, endUs: null };
    const found = [];
    for (const projectId of projects) {
      found.push(...(await storesOf(true).rows.listOfProject(store.context(), { ...page, projectId }, page)).items);
    }
    expect(found).toHaveLength(1);
    expect(await compareAll(7)).toBeGreaterThan(10);
  });
});
