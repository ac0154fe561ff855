// Tags of experiments, on both databases: set, moved inside their dataset, listed and removed.

import { expect, test } from "bun:test";
import { globalId } from "../../../src/kernel/ids.ts";
import { openTestApi } from "../../support/api.ts";
import { datasetsOf } from "../../support/datasets.ts";
import { forEachDriver } from "../../support/drivers.ts";
import { openForSuite } from "../../support/suite.ts";

forEachDriver("tags of experiments", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  const { ask, uploaded } = datasetsOf(() => api);
  let last = 0;
  const experimentsOf = async (amount: number): Promise<string[]> => {
    const { dataset_id } = await uploaded({ name: `tagged ${++last}`, inputs: [{ q: 1 }] });
    const made = [];
    for (let at = 0; at < amount; at++)
      made.push((await ask(`POST /v1/datasets/${dataset_id}/experiments`, {})).data.id);
    return made;
  };
  const set = (id: string, name: unknown, more: object = {}) =>
    ask(`POST /v1/experiments/${id}/tags`, { name, ...more });
  const tags = async (id: string) => (await ask(`GET /v1/experiments/${id}/tags`)).data;

  test("a tag points at one experiment of its dataset, keeps its id when it moves, and loses its description", async () => {
    const [one, two] = (await experimentsOf(2)) as [string, string];
    const [foreign] = (await experimentsOf(1)) as [string];
    const made = await set(one, "baseline", { description: "before the change" });
    expect(made.status).toBe(200);
    expect(made.data).toEqual({ id: expect.any(String), name: "baseline", description: "before the change" });
    await set(one, "a-first");
    await set(foreign, "baseline");
    expect((await tags(one)).map((tag: { name: string }) => tag.name)).toEqual(["a-first", "baseline"]);
    const moved = await set(two, "baseline");
    expect(moved.data).toEqual({ ...made.data, description: null });
    expect((await tags(one)).map((tag: { name: string }) => tag.name)).toEqual(["a-first"]);
    expect(await tags(foreign)).toHaveLength(1);
  });

  test("a tag is removed by name or id, only where it points", async () => {
    const [one, two] = (await experimentsOf(2)) as [string, string];
    await set(one, "kept");
    const { data } = await set(one, "gone");
    expect((await ask(`DELETE /v1/experiments/${two}/tags/kept`)).status).toBe(204);
    expect(await tags(one)).toHaveLength(2);
    expect((await ask(`DELETE /v1/experiments/${one}/tags/${data.id}`)).status).toBe(204);
    expect((await ask(`DELETE /v1/experiments/${one}/tags/kept`)).status).toBe(204);
    expect(await tags(one)).toEqual([]);
    expect((await ask(`DELETE /v1/experiments/${one}/tags/kept`)).status).toBe(204);
  });

  test("an invalid request is answered with an error", async () => {
    const [one] = (await experimentsOf(1)) as [string];
    for (const name of ["Big", "two words", "-a", "a-", "", 7, null]) expect((await set(one, name)).status).toBe(422);
    expect((await set(globalId("Experiment", 99_999), "fine")).status).toBe(404);
    expect((await ask("GET /v1/experiments/nothing/tags")).status).toBe(422);
    const ofDataset = globalId("Dataset", 1);
    expect((await ask(`GET /v1/experiments/${ofDataset}/tags`)).status).toBe(422);
    expect((await set(ofDataset, "fine")).status).toBe(422);
    expect((await ask(`DELETE /v1/experiments/${ofDataset}/tags/fine`)).status).toBe(422);
    for (const format of ["csv", "json"]) {
      expect((await ask(`GET /v1/experiments/${ofDataset}/${format}`)).status).toBe(422);
      expect((await ask(`GET /v1/experiments/${globalId("Experiment", 99_999)}/${format}`)).status).toBe(404);
    }
    expect((await ask(`DELETE /v1/experiments/${one}/tags/Not%20one`)).status).toBe(422);
    expect((await ask(`DELETE /v1/experiments/${globalId("Experiment", 99_999)}/tags/fine`)).status).toBe(404);
  });
});
