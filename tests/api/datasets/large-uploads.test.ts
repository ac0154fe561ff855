// Uploads of more rows than one transaction takes: the dataset is made a slice at a time, and seen when all of it is in.

import { expect, test } from "bun:test";
import { sql } from "kysely";
import { datasetsFeature } from "../../../src/modules/evaluation/datasets/datasets.feature.ts";
import { SLICE_ROWS } from "../../../src/modules/evaluation/datasets/uploads/upload-new-dataset.service.ts";
import { verifyStorage } from "../../../src/modules/tracing/traces/verify/verify.service.ts";
import { ownedTables } from "../../../src/server/features.ts";
import { openTestApi } from "../../support/api.ts";
import { datasetsOf } from "../../support/datasets.ts";
import { forEachDriver } from "../../support/drivers.ts";
import { wholeRun } from "../../support/job-runs.ts";
import { openForSuite } from "../../support/suite.ts";

const ROWS = 10 * SLICE_ROWS + 1;

forEachDriver("large uploads", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  const { ask, upload, uploadFile, examples } = datasetsOf(() => api);

  const count = async (from: ReturnType<typeof sql>) => {
    const database = api.stored.storage.handle.read(api.context(), "short");
    return Number((await sql<{ n: number }>`select count(*) as n from ${from}`.execute(database)).rows[0]!.n);
  };
  const fileOf = (lines: readonly object[]) => ({
    content: lines.map((line) => JSON.stringify(line)).join("\n"),
    type: "application/jsonl",
  });
  const rows = (given: (at: number) => object) => Array.from({ length: ROWS }, (_, at) => ({ q: at, ...given(at) }));
  const fields = { action: "create", "input_keys[]": ["q"] };
  const named = async (name: string) => (await ask(`GET /v1/datasets?name=${encodeURIComponent(name)}`)).data;

  test("are made while others have their turn, and seen as a whole", async () => {
    const sent = rows((at) => ({ part: at % 2 === 0 ? "even" : "odd" }));
    let isOver = false;
    const sending = uploadFile({ ...fields, name: "large", "split_keys[]": ["part"] }, fileOf(sent)).finally(() => {
      isOver = true;
    });
    const seen = new Set<number>();
    while (!isOver) {
      const before = await count(sql`dataset_examples`);
      if (before > 0 && before < ROWS) {
        seen.add(before);
        const shown = await named("large");
        // Still not whole after the list was read.
        if ((await count(sql`dataset_examples`)) < ROWS) expect(shown).toEqual([]);
      }
    }
    const { status, data } = await sending;
    expect([status, data.num_created_examples]).toEqual([200, ROWS]);
    expect(seen.size).toBeGreaterThan(1);
    expect([...seen].every((number) => number % SLICE_ROWS === 0)).toBe(true);
    expect(await named("large")).toMatchObject([{ example_count: ROWS }]);
    const first = await examples(data.dataset_id, "?split=even");
    expect(first).toHaveLength((ROWS + 1) / 2);
    expect(first.slice(0, 3).map(({ input }) => input)).toEqual([{ q: 0 }, { q: 2 }, { q: 4 }]);
    const again = await uploadFile({ ...fields, action: "append", name: "large" }, fileOf(sent.slice(0, 3)));
    expect(again.data).toMatchObject({ dataset_id: data.dataset_id, num_created_examples: 0 });
    expect((await verifyStorage(api.stored.storage, api.context(), ownedTables)).differences).toEqual([]);
  });

  test("leave nothing when the name is taken meanwhile, or rows do not go together", async () => {
    const before = await count(sql`dataset_examples`);
    const sending = uploadFile({ ...fields, name: "taken" }, fileOf(rows(() => ({}))));
    while ((await count(sql`dataset_examples`)) === before);
    expect((await upload({ action: "create", name: "taken", inputs: [{ q: "small" }] })).status).toBe(200);
    expect(await sending).toMatchObject({ status: 409, text: 'A dataset named "taken" exists' });
    const twice = { ...fields, name: "twice", example_id_key: "id" };
    const repeated = await uploadFile(twice, fileOf(rows((at) => ({ id: `${at === 1 ? 0 : at}` }))));
    expect([repeated.status, repeated.text]).toEqual([422, expect.stringContaining("0")]);

    await api.features.use(datasetsFeature).datasets.finishDeletions(wholeRun(() => api.context()));
    expect(await named("taken")).toMatchObject([{ example_count: 1 }]);
    expect(await count(sql`datasets where deleting <> 0`)).toBe(0);
    expect(await count(sql`dataset_examples`)).toBe(before + 1);
    expect(await count(sql`dataset_contents`)).toBe(before + 1);
    expect(await count(sql`dataset_upload_rows`)).toBe(0);
  });
});
