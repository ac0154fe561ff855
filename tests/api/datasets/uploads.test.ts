// Uploads as JSON: what they make of a dataset, its versions and splits, and what is refused, on both databases.

import { describe, expect, test } from "bun:test";
import { sql } from "kysely";
import { globalId } from "../../../src/kernel/ids.ts";
import { verifyStorage } from "../../../src/modules/tracing/traces/verify/verify.service.ts";
import { ownedTables } from "../../../src/server/features.ts";
import { openTestApi, send } from "../../support/api.ts";
import { datasetsOf, type Uploaded } from "../../support/datasets.ts";
import { forEachDriver } from "../../support/drivers.ts";
import { openForSuite } from "../../support/suite.ts";

forEachDriver("uploads of datasets", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  const { ask, upload, uploaded, examples } = datasetsOf(() => api);
  let last = 0;
  const freshName = () => `dataset ${++last}`;
  const counts = ({ num_created_examples, num_updated_examples, num_deleted_examples }: Record<string, unknown>) => [
    num_created_examples,
    num_updated_examples,
    num_deleted_examples,
  ];
  const inputsOf = async (id: string, query = "") => (await examples(id, query)).map(({ input }) => input);
  const q = (...values: unknown[]) => values.map((value) => ({ q: value }));
  const leftOver = async () => {
    const database = api.stored.storage.handle.read(api.context(), "short");
    const tables = ["dataset_uploads", "dataset_upload_rows", "dataset_upload_splits"];
    return Promise.all(
      tables.map(async (table) =>
        Number((await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(database)).rows[0]!.n),
      ),
    );
  };

  test("the exchange of the contract: made, listed, read by split, updated", async () => {
    const name = freshName();
    const first = await uploaded({
      name,
      action: "update",
      description: "demo",
      inputs: q("2+2", "3+3"),
      outputs: [{ a: "4" }, { a: "6" }],
      example_ids: ["sum-1", null],
      splits: ["train", ["train", "hard"]],
    });
    expect(counts({ ...first })).toEqual([2, 0, 0]);
    const { data, next_cursor } = await ask(`GET /v1/datasets?name=${encodeURIComponent(name)}`);
    expect(data).toEqual([
      {
        id: first.dataset_id,
        name,
        description: "demo",
        metadata: {},
        created_at: data[0].created_at,
        updated_at: data[0].created_at,
        example_count: 2,
      },
    ]);
    expect(next_cursor).toBeNull();
    const [hard, ...others] = await examples(first.dataset_id, "?split=hard");
    expect(others).toEqual([]);
    expect(hard).toEqual({
      id: hard!.node_id,
      node_id: hard!.node_id,
      input: { q: "3+3" },
      output: { a: "6" },
      metadata: {},
      updated_at: data[0].created_at,
      source: null,
    });
    const second = await uploaded({
      name,
      action: "update",
      inputs: q("2+2"),
      outputs: [{ a: "four" }],
      example_ids: ["sum-1"],
    });
    expect(counts({ ...second })).toEqual([0, 1, 1]);
    expect(second.version_id).not.toBe(first.version_id);
    expect((await examples(first.dataset_id, "?split=train")).map(({ id }) => id)).toEqual(["sum-1"]);
    expect((await examples(first.dataset_id, `?version_id=${first.version_id}`)).map(({ output }) => output)).toEqual([
      { a: "4" },
      { a: "6" },
    ]);
    const versions = await ask(`GET /v1/datasets/${first.dataset_id}/versions`);
    expect(versions.data.map((version: { version_id: string }) => version.version_id)).toEqual([
      second.version_id,
      first.version_id,
    ]);
    expect(await leftOver()).toEqual([0, 0, 0]);
  });

  test("examples of an unknown split, or of one without a name, are refused by name", async () => {
    const { dataset_id } = await uploaded({ name: freshName(), inputs: q(1), splits: ["known"] });
    const unknown = await ask(`GET /v1/datasets/${dataset_id}/examples?split=known&split=elsewhere`);
    expect([unknown.status, unknown.text.includes("elsewhere")]).toEqual([404, true]);
    expect((await ask(`GET /v1/datasets/${dataset_id}/examples?split=%20`)).status).toBe(422);
  });

  describe("which example a row is for", () => {
    test("equal rows without id are the same examples, each once", async () => {
      const name = freshName();
      const first = await uploaded({ name, inputs: q(1, 1, 2) });
      const again = await uploaded({ name, action: "update", inputs: q(1, 2, 1) });
      expect([counts({ ...again }), again.version_id]).toEqual([[0, 0, 0], first.version_id]);
      const fewer = await uploaded({ name, action: "update", inputs: q(1, 2) });
      expect(counts({ ...fewer })).toEqual([0, 0, 1]);
      const more = await uploaded({ name, action: "append", inputs: q(1, 1) });
      expect(counts({ ...more })).toEqual([1, 0, 0]);
      expect(await inputsOf(first.dataset_id)).toEqual(q(1, 2, 1));
    });

    test("the order of keys and 1 against 1.0 make no difference, digits beyond 2^53 do", async () => {
      const name = freshName();
      const sent = async (inputs: string): Promise<Uploaded> => {
        const response = await send(api.server, "POST /v1/datasets/upload?sync=true", {
          headers: { "content-type": "application/json" },
          body: `{"name":"${name}","action":"update","inputs":${inputs}}`,
        });
        return ((await response.json()) as { data: Uploaded }).data;
      };
      const first = await sent('[{"a":1,"b":{"c":2,"d":3}}]');
      const same = await sent('[{"b":{"d":3.0,"c":2},"a":1.0}]');
      expect(same.version_id).toBe(first.version_id);
      await sent('[{"n":9007199254740993}]');
      expect(counts({ ...(await sent('[{"n":9007199254740992}]')) })).toEqual([1, 0, 1]);
      const { text } = await ask(`GET /v1/datasets/${first.dataset_id}/examples`);
      expect(text).toContain("9007199254740992");
    });

    test("an own id keeps its example while the content changes, and comes back with it", async () => {
      const name = freshName();
      const first = await uploaded({ name, inputs: q(1, 2), example_ids: ["a", "b"] });
      const before = await examples(first.dataset_id);
      const changed = await uploaded({ name, action: "update", inputs: q(9), example_ids: ["a"] });
      expect(counts({ ...changed })).toEqual([0, 1, 1]);
      const revived = await uploaded({ name, action: "append", inputs: q(3), example_ids: ["b"] });
      expect(counts({ ...revived })).toEqual([1, 0, 0]);
      const after = await examples(first.dataset_id);
      expect(after.map(({ node_id }) => node_id)).toEqual(before.map(({ node_id }) => node_id));
      expect(after.map(({ input }) => input)).toEqual(q(9, 3));
    });

    test("a row may name its example by our id, which is kept nowhere", async () => {
      const name = freshName();
      const first = await uploaded({ name, inputs: q(1, 2) });
      const [one] = await examples(first.dataset_id);
      const changed = await uploaded({ name, action: "append", inputs: q(7), example_ids: [one!.node_id] });
      expect(counts({ ...changed })).toEqual([0, 1, 0]);
      expect((await examples(first.dataset_id)).map(({ id, input }) => [id === one!.node_id, input])).toEqual([
        [true, { q: 7 }],
        [false, { q: 2 }],
      ]);
    });

    test("an id given to a row that had none makes another example; one left out changes nothing", async () => {
      const name = freshName();
      await uploaded({ name, inputs: q(1) });
      const withId = await uploaded({ name, action: "update", inputs: q(1), example_ids: ["x"] });
      expect(counts({ ...withId })).toEqual([1, 0, 1]);
      const without = await uploaded({ name, action: "update", inputs: q(1) });
      expect([counts({ ...without }), without.version_id]).toEqual([[0, 0, 0], withId.version_id]);
    });

    test("nothing deletes everything, once", async () => {
      const name = freshName();
      const first = await uploaded({ name, inputs: q(1, 2) });
      const empty = await uploaded({ name, action: "update", inputs: [] });
      expect(counts({ ...empty })).toEqual([0, 0, 2]);
      expect((await uploaded({ name, action: "update", inputs: [] })).version_id).toBe(empty.version_id);
      expect(await inputsOf(first.dataset_id)).toEqual([]);
      expect((await ask(`GET /v1/datasets/${first.dataset_id}`)).data.example_count).toBe(0);
    });

    test("a dataset without rows has a version and no examples", async () => {
      const { dataset_id, version_id } = await uploaded({ name: freshName(), inputs: [] });
      expect(await inputsOf(dataset_id, `?version_id=${version_id}`)).toEqual([]);
    });
  });

  describe("splits", () => {
    test("those of a row are replaced by an append that says some, and kept by one that does not", async () => {
      const name = freshName();
      const { dataset_id } = await uploaded({ name, inputs: q(1, 2), example_ids: ["a", "b"], splits: ["s1", "s2"] });
      const kept = await uploaded({ name, action: "append", inputs: q(1), example_ids: ["a"] });
      expect(counts({ ...kept })).toEqual([0, 0, 0]);
      const moved = await uploaded({ name, action: "append", inputs: q(1), example_ids: ["a"], splits: ["s2"] });
      expect([counts({ ...moved }), moved.version_id]).toEqual([[0, 1, 0], kept.version_id]);
      expect((await examples(dataset_id, "?split=s2")).map(({ id }) => id)).toEqual(["a", "b"]);
      expect((await examples(dataset_id, "?split=s1")).map(({ id }) => id)).toEqual([]);
      const wiped = await uploaded({
        name,
        action: "update",
        inputs: q(1, 2),
        example_ids: ["a", "b"],
        splits: [null, null],
      });
      expect(counts({ ...wiped })).toEqual([0, 2, 0]);
      expect(await examples(dataset_id, "?split=s1&split=s2")).toEqual([]);
    });
  });

  describe("what is refused, with nothing left of it", () => {
    const beyond = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON("1e400");
    const wrong: readonly [string, object, number, string][] = [
      ["no object", [1] as object, 422, "object"],
      ["no name", { inputs: [] }, 422, "name"],
      ["a name that is no text", { name: 5, inputs: [] }, 422, "name"],
      ["another action", { name: "x", action: "replace", inputs: [] }, 422, "Invalid dataset action"],
      ["no inputs", { name: "x" }, 422, "inputs"],
      ["an input that is no object", { name: "x", inputs: [{}, 1] }, 422, "inputs[1]"],
      ["outputs of another length", { name: "x", inputs: [{}], outputs: [{}, {}] }, 422, "outputs"],
      ["metadata that are no objects", { name: "x", inputs: [{}], metadata: ["a"] }, 422, "metadata[0]"],
      ["splits of another length", { name: "x", inputs: [{}], splits: [] }, 422, "splits"],
      ["a split that is a number", { name: "x", inputs: [{}], splits: [[1]] }, 422, "splits[0]"],
      ["a span that is a number", { name: "x", inputs: [{}], span_ids: [1] }, 422, "span_ids[0]"],
      ["a number beyond every double", { name: "x", inputs: [{ q: beyond }] }, 422, "The body: The number 1e400"],
      ["ids twice", { name: "x", inputs: [{}, {}], example_ids: ["a", "a"] }, 422, "a"],
      [
        "an example of elsewhere",
        { name: "x", inputs: [{}], example_ids: [globalId("DatasetExample", 999_999)] },
        422,
        globalId("DatasetExample", 999_999),
      ],
    ];
    test.each(wrong)("%s", async (_what, body, status, word) => {
      const answer = await upload(body);
      expect([answer.status, answer.text.includes(word)]).toEqual([status, true]);
      expect((await ask("GET /v1/datasets?name=x")).data).toEqual([]);
      expect(await leftOver()).toEqual([0, 0, 0]);
    });

    test("a name that is taken, by create alone", async () => {
      const name = freshName();
      await uploaded({ name, action: "append", inputs: q(1) });
      expect((await upload({ name, inputs: q(2) })).status).toBe(409);
      expect((await upload({ name, action: "CREATE", inputs: q(2) })).status).toBe(409);
      expect(await leftOver()).toEqual([0, 0, 0]);
    });

    test("two rows for one example, by both of its ids", async () => {
      const name = freshName();
      const { dataset_id } = await uploaded({ name, inputs: q(1), example_ids: ["a"] });
      const [one] = await examples(dataset_id);
      const answer = await upload({ name, action: "update", inputs: q(2, 3), example_ids: ["a", one!.node_id] });
      expect([answer.status, answer.text.includes(one!.node_id)]).toEqual([422, true]);
      expect(await inputsOf(dataset_id)).toEqual(q(1));
    });

    test("no content type, another one, and invalid JSON", async () => {
      const raw = async (headers: Record<string, string>, body?: string) => {
        const request = new Request("http://localhost/v1/datasets/upload?sync=true", {
          method: "POST",
          headers,
          ...(body === undefined ? {} : { body: new TextEncoder().encode(body) }),
        });
        return (await api.server.fetch(request)).status;
      };
      expect(await raw({})).toBe(400);
      expect(await raw({ "content-type": "text/csv" }, "a")).toBe(422);
      expect(await raw({ "content-type": "application/json" }, "{")).toBe(422);
    });
  });

  test("without sync nothing is answered, and what fails at the end is only logged", async () => {
    const name = freshName();
    const later = (body: object) => ask("POST /v1/datasets/upload", body);
    expect(await later({ name, inputs: q(1) })).toMatchObject({ status: 200, text: "null" });
    expect((await ask(`GET /v1/datasets?name=${encodeURIComponent(name)}`)).data[0].example_count).toBe(1);
    expect(await later({ name, inputs: q(2) })).toMatchObject({ status: 200, text: "null" });
    expect((await later({ name, inputs: 5 })).status).toBe(422);
  });

  test("two appends at once are both in, in two versions", async () => {
    const name = freshName();
    const { dataset_id } = await uploaded({ name, inputs: [] });
    const rows = (from: number) => q(...Array.from({ length: 300 }, (_, at) => from + at));
    const both = await Promise.all([
      uploaded({ name, action: "append", inputs: rows(0) }),
      uploaded({ name, action: "append", inputs: rows(1000) }),
    ]);
    expect(new Set(both.map(({ version_id }) => version_id)).size).toBe(2);
    expect((await inputsOf(dataset_id)).length).toBe(600);
  });

  test("a verification goes through versions: all add up, and a wrong count is named", async () => {
    await uploaded({ name: "verified", inputs: [{ q: 1 }, { q: 2 }], example_ids: ["a", "b"] });
    await uploaded({ name: "verified", action: "update", inputs: [{ q: 3 }, { q: 4 }], example_ids: ["a", "c"] });
    const verified = async () => (await verifyStorage(api.stored.storage, api.context(), ownedTables)).differences;
    expect(await verified()).toEqual([]);
    const change = (by: number) =>
      sql`update dataset_versions set created_count = created_count + ${by}
        where id = (select max(id) from dataset_versions)`.execute(api.stored.storage.handle.write(api.context()));
    await change(1);
    expect(await verified()).toEqual([
      "1 versions of datasets whose examples are not the sum of the changes",
      "1 versions of datasets whose counts are not those of their revisions",
    ]);
    await change(-1);
  });

  test("a deleted dataset is gone with all that it had, and its name is free", async () => {
    const name = freshName();
    const { dataset_id } = await uploaded({ name, inputs: q(1, 2), splits: ["gone", null] });
    expect((await ask(`DELETE /v1/datasets/${dataset_id}`)).status).toBe(204);
    expect((await ask(`DELETE /v1/datasets/${dataset_id}`)).status).toBe(404);
    expect((await ask(`GET /v1/datasets/${dataset_id}`)).status).toBe(404);
    expect((await ask(`GET /v1/datasets/${dataset_id}/versions`)).data).toEqual([]);
    const again = await uploaded({ name, inputs: q(3) });
    expect(again.dataset_id).not.toBe(dataset_id);
  });
});
