// Ordered operations on examples over REST: what they make of a dataset, and what is refused, on both databases.

import { describe, expect, test } from "bun:test";
import { globalId } from "../../../src/kernel/ids.ts";
import { openTestApi } from "../../support/api.ts";
import { datasetsOf } from "../../support/datasets.ts";
import { forEachDriver } from "../../support/drivers.ts";
import { openForSuite } from "../../support/suite.ts";

forEachDriver("operations on examples over REST", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  const { ask, uploaded, examples } = datasetsOf(() => api);
  let last = 0;

  /** A dataset with the examples `a`, `b` and one without an own id; `gone` was deleted. */
  async function dataset() {
    const name = `operations ${++last}`;
    const inputs = [1, 2, 3].map((q) => ({ q }));
    await uploaded({ name, inputs: [{ q: 0 }], example_ids: ["gone"] });
    const { dataset_id: id } = await uploaded({ name, action: "update", inputs, example_ids: ["a", "b", null] });
    const listed = await examples(id);
    const patch = (operations: unknown, more: object = {}) =>
      ask(`PATCH /v1/datasets/${id}/examples`, { operations, ...more });
    const versions = async () => (await ask(`GET /v1/datasets/${id}/versions?limit=100`)).data;
    return { id, name, listed, patch, versions };
  }
  const add = (id: string | null, q: unknown) => ({ op: "add", input: { q }, output: {}, metadata: {}, id });
  const replace = (example_id: string, field: string, value: unknown) => ({ op: "replace", example_id, field, value });
  const remove = (example_id: string) => ({ op: "remove", example_id });
  const said = async (id: string) => (await examples(id)).map(({ input, output }) => [input, output]);

  test("are applied in order, by our ids and the sender's own, in one version", async () => {
    const { id, listed, patch, versions } = await dataset();
    const before = await versions();
    const { status, data } = await patch(
      [
        replace("a", "input", { q: "first" }),
        replace(listed[0]!.node_id, "input", { q: "second" }),
        replace("a", "output", { a: 9007199254740 }),
        replace("b", "input", { q: "never" }),
        remove(listed[1]!.node_id),
        add(" new ", 4),
        add("  ", 5),
        { op: "add", input: { q: 6 }, output: {}, metadata: {} },
      ],
      { version_description: " reviewed ", version_metadata: { by: "me" } },
    );
    expect(status).toBe(200);
    expect(data).toEqual({
      dataset_id: id,
      version_id: data.version_id,
      num_created_examples: 3,
      num_updated_examples: 1,
      num_deleted_examples: 1,
    });
    expect(await said(id)).toEqual([
      [{ q: "second" }, { a: 9007199254740 }],
      [{ q: 3 }, {}],
      [{ q: 4 }, {}],
      [{ q: 5 }, {}],
      [{ q: 6 }, {}],
    ]);
    expect((await examples(id)).map(({ id: own, node_id }) => (own === node_id ? null : own))).toEqual([
      "a",
      null,
      "new",
      null,
      null,
    ]);
    const [version, ...older] = await versions();
    expect(version).toMatchObject({
      version_id: data.version_id,
      description: "reviewed",
      metadata: { by: "me" },
    });
    expect(older).toEqual(before);
  });

  test("reach a dataset by its name, and make a version also where nothing differs", async () => {
    const { name, versions } = await dataset();
    const before = (await versions()).length;
    const answer = await ask(`PATCH /v1/datasets/${encodeURIComponent(name)}/examples`, {
      operations: [replace("a", "input", { q: 1 })],
      version_description: "  ",
      version_metadata: null,
    });
    expect(answer).toMatchObject({ status: 200, data: { num_updated_examples: 1 } });
    expect((await versions()).length).toBe(before + 1);
    expect((await versions())[0]).toMatchObject({ description: null, metadata: {} });
  });

  describe("are refused with nothing changed", () => {
    const wrong: readonly [string, unknown, number, string][] = [
      ["none", [], 422, "operations"],
      ["no list", {}, 422, "operations"],
      ["null", [null], 422, "operations"],
      ["another word", [{ op: "move", example_id: "a" }], 422, "op"],
      ["no word", [{ example_id: "a" }], 422, "op"],
      ["another field", [replace("a", "id", {})], 422, "field"],
      ["a value that is no object", [replace("a", "input", [1])], 422, "value"],
      ["an input that is no object", [{ ...add(null, 1), input: "x" }], 422, "input"],
      ["no metadata", [{ op: "add", input: {}, output: {} }], 422, "metadata"],
      ["a replacement behind the removal", [remove("a"), replace("a", "input", {})], 422, "operations[1] replaces"],
      ["a removal behind the removal", [add("n", 1), remove("a"), remove("a")], 422, "operations[2] removes"],
      ["an own id twice", [add("n", 1), add(" n", 2)], 422, "'n'"],
      ["an own id that is taken", [add("n", 1), add("b", 2)], 409, "b"],
      ["an own id of a deleted example", [add("gone", 2)], 409, "gone"],
      ["an own id of an example that is removed here", [remove("a"), add("a", 2)], 409, "a"],
      ["an own id beyond every length", [add("x".repeat(100_000), 2)], 422, "bytes"],
      ["an example that is not there", [remove(globalId("DatasetExample", 999_999))], 404, "could not be found"],
      ["an own id that is not there", [add("n", 1), replace("nobody", "input", {})], 404, "nobody"],
      ["a deleted example", [replace("gone", "input", {})], 404, "already been deleted"],
    ];
    test.each(wrong)("%s", async (_what, operations, status, word) => {
      const { id, patch, versions } = await dataset();
      const before = [await versions(), await said(id)];
      const answer = await patch(operations);
      expect({ status: answer.status, text: answer.text, named: answer.text.includes(word) }).toEqual({
        status,
        text: answer.text,
        named: true,
      });
      expect([await versions(), await said(id)]).toEqual(before);
    });

    test("an example of another dataset", async () => {
      const [here, there] = [await dataset(), await dataset()];
      expect(await here.patch([remove(there.listed[2]!.node_id)])).toMatchObject({ status: 404 });
    });

    test("a dataset that is not there, metadata of a version that are no object", async () => {
      const operations = [add(null, 1)];
      expect((await ask("PATCH /v1/datasets/nobody/examples", { operations })).status).toBe(404);
      const { patch } = await dataset();
      expect((await patch(operations, { version_metadata: [] })).status).toBe(422);
    });
  });

  test("two that add the same own id at once: one wins, the other gets an error", async () => {
    const { patch } = await dataset();
    const both = await Promise.all([patch([add("same", 1)]), patch([add("same", 2)])]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});
