// Experiments over REST: what they are made of, how they are listed, changed and deleted, on both databases.

import { expect, test } from "bun:test";
import { globalId } from "../../../src/kernel/ids.ts";
import { createExperimentDeletionStore } from "../../../src/modules/evaluation/experiments/experiment-deletion.store.ts";
import { experimentsFeature } from "../../../src/modules/evaluation/experiments/experiments.feature.ts";
import { openTestApi } from "../../support/api.ts";
import { datasetsOf } from "../../support/datasets.ts";
import { forEachDriver } from "../../support/drivers.ts";
import { askGraphql } from "../../support/graphql.ts";
import { wholeRun } from "../../support/job-runs.ts";
import { openForSuite } from "../../support/suite.ts";

forEachDriver("experiments", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  const { ask, uploaded } = datasetsOf(() => api);
  let last = 0;
  const dataset = () =>
    uploaded({
      name: `my questions ${++last}`,
      inputs: [{ q: "2+2" }, { q: "3+3" }],
      splits: [`easy-${last}`, `hard-${last}`],
    });
  const created = async (datasetId: string, body: object = {}) => {
    const { status, text, data } = await ask(`POST /v1/datasets/${datasetId}/experiments`, body);
    expect([status, status === 200 ? "" : text]).toEqual([200, ""]);
    return data;
  };

  test("one is made of the newest version, with a project of its own", async () => {
    const { dataset_id, version_id } = await dataset();
    const made = await created(dataset_id, { project_name: "ignored" });
    expect(made).toEqual({
      id: made.id,
      dataset_id,
      dataset_version_id: version_id,
      name: expect.stringMatching(/^my-quest-[0-9a-f]{8}$/),
      description: null,
      repetitions: 1,
      metadata: {},
      project_name: expect.stringMatching(/^Experiment-[0-9a-f]{24}$/),
      created_at: made.updated_at,
      updated_at: expect.stringMatching(/\+00:00$/),
      example_count: 2,
      successful_run_count: 0,
      failed_run_count: 0,
      missing_run_count: 2,
    });
    expect((await ask(`GET /v1/experiments/${made.id}`)).data).toEqual(made);
    const project = await ask(`GET /v1/projects/${made.project_name}`);
    expect(project.data.description).toBe(`dataset_id: ${dataset_id}\ndataset_version_id: ${version_id}`);
  });

  test("its project is listed and counted only where that is asked for", async () => {
    const { dataset_id } = await dataset();
    const { project_name } = await created(dataset_id);
    const listed = async (more: string): Promise<string[]> =>
      (await ask(`GET /v1/projects?limit=1000${more}`)).data.map(({ name }: { name: string }) => name);
    expect(await listed("")).toEqual(["default"]);
    expect(await listed("&include_experiment_projects=true")).toContain(project_name);
    const { data } = await askGraphql(api, "{ projectCount projects { edges { node { name } } } }");
    expect(data).toEqual({ projectCount: 1, projects: { edges: [{ node: { name: "default" } }] } });
  });

  test("it keeps the examples of its version and splits, whatever happens to them later", async () => {
    const { dataset_id, version_id } = await dataset();
    const ofSplit = await created(dataset_id, { splits: [`easy-${last}`, ` easy-${last} `], repetitions: 3 });
    expect([ofSplit.example_count, ofSplit.missing_run_count]).toEqual([1, 3]);
    await uploaded({ name: `my questions ${last}`, action: "append", inputs: [{ q: "4+4" }] });
    expect((await created(dataset_id)).example_count).toBe(3);
    expect((await created(dataset_id, { version_id })).example_count).toBe(2);
    expect((await created(dataset_id, { splits: [] })).example_count).toBe(3);
    expect((await ask(`GET /v1/experiments/${ofSplit.id}`)).data.example_count).toBe(1);
  });

  test("a list has the newest first, page by page; an unknown dataset has none", async () => {
    const { dataset_id } = await dataset();
    for (const name of ["a", "b", "c"]) await created(dataset_id, { name });
    const names = async (query: string) => {
      const { data, next_cursor } = await ask(`GET /v1/datasets/${dataset_id}/experiments${query}`);
      return { names: data.map((one: { name: string }) => one.name), next_cursor };
    };
    const first = await names("?limit=2");
    expect(first.names).toEqual(["c", "b"]);
    expect(await names(`?limit=2&cursor=${first.next_cursor}`)).toEqual({ names: ["a"], next_cursor: null });
    expect(await ask(`GET /v1/datasets/${globalId("Dataset", 99_999)}/experiments`)).toMatchObject({
      status: 200,
      data: [],
      next_cursor: null,
    });
    expect((await ask(`GET /v1/datasets/${dataset_id}/experiments?cursor=${dataset_id}`)).status).toBe(422);
  });

  test("name, description and metadata change, as far as they are sent", async () => {
    const { id, updated_at } = await created((await dataset()).dataset_id, { name: "n", metadata: { a: 1, b: 2 } });
    const patch = (body: unknown) => ask(`PATCH /v1/experiments/${id}`, body);
    const changed = await patch({ description: "d", metadata: { c: 3 } });
    expect(changed.data).toMatchObject({ name: "n", description: "d", metadata: { c: 3 } });
    expect(changed.data.updated_at > updated_at).toBe(true);
    expect((await patch({ name: "", description: null })).data).toMatchObject({ name: "", description: null });
    for (const body of [{ name: null }, { metadata: null }]) {
      const { status, text } = await patch(body);
      expect([status, JSON.parse(text).detail[0].type]).toEqual([422, "value_error"]);
    }
    expect(await patch({})).toMatchObject({ status: 422, text: expect.stringContaining("Name at least one") });
    expect((await ask(`PATCH /v1/experiments/${globalId("Experiment", 99_999)}`, { name: "x" })).status).toBe(404);
  });

  test("a deletion takes its project along only when it is asked to, and its number does not come back", async () => {
    const { dataset_id } = await dataset();
    const [kept, removed] = [await created(dataset_id), await created(dataset_id)];
    expect((await ask(`DELETE /v1/experiments/${kept.id}`)).status).toBe(204);
    expect((await ask(`DELETE /v1/experiments/${removed.id}?delete_project=true`)).status).toBe(204);
    expect((await ask(`DELETE /v1/experiments/${removed.id}`)).status).toBe(404);
    expect((await ask(`GET /v1/projects/${kept.project_name}`)).status).toBe(200);
    expect((await ask(`GET /v1/projects/${removed.project_name}`)).status).toBe(404);
    await created(dataset_id);
    const rows = await api.stored.storage.handle
      .read(api.context(), "short")
      .selectFrom("experiments")
      .innerJoin("datasets", "datasets.id", "experiments.dataset_id")
      .select("number")
      .where("datasets.name", "=", `my questions ${last}`)
      .execute();
    expect(rows).toEqual([{ number: 3 }]);
  });

  test("a deletion goes in slices, and one that was interrupted is finished, its project kept", async () => {
    const { dataset_id } = await dataset();
    const one = await created(dataset_id);
    const id = Number(atob(one.id).split(":")[1]);
    const database = api.stored.storage.handle.write(api.context());
    const runs = Array.from({ length: 1200 }, (_, at) => ({
      experiment_id: id,
      example_id: 1,
      repetition: at + 1,
      output: "{}",
      start_us: 0,
      end_us: 1,
    }));
    await database.insertInto("experiment_runs").values(runs).execute();
    const left = () => database.selectFrom("experiment_runs").select("id").where("experiment_id", "=", id).execute();
    const deletion = createExperimentDeletionStore(api.stored.storage.dialect);
    expect(await deletion.removeSlice(api.context(), id)).toBe(true);
    expect((await left()).length).toBe(700);
    // As an interruption leaves it.
    await database.updateTable("experiments").set({ deletion_began_us: 1 }).where("id", "=", id).execute();
    await api.features.use(experimentsFeature).experiments.sweepDismissed(wholeRun(() => api.context()));
    expect([await left(), (await ask(`GET /v1/experiments/${one.id}`)).status]).toEqual([[], 404]);
    expect((await ask(`GET /v1/projects/${one.project_name}`)).status).toBe(200);
  });

  test("an experiment whose project is gone is deleted all the same, and one goes with its dataset", async () => {
    const { dataset_id } = await dataset();
    const [one, other] = [await created(dataset_id), await created(dataset_id)];
    expect((await ask(`DELETE /v1/projects/${one.project_name}`)).status).toBe(204);
    expect((await ask(`DELETE /v1/experiments/${one.id}?delete_project=true`)).status).toBe(204);
    expect((await ask(`DELETE /v1/datasets/${dataset_id}`)).status).toBe(204);
    expect((await ask(`GET /v1/experiments/${other.id}`)).status).toBe(404);
  });

  test("what is wrong with an id, a version, a split or the repetitions is reported, and nothing is stored", async () => {
    const { dataset_id } = await dataset();
    const version = (await dataset()).version_id;
    const post = async (id: string, body: object) => (await ask(`POST /v1/datasets/${id}/experiments`, body)).status;
    expect(await post("nothing", {})).toBe(422);
    expect(await post(version, {})).toBe(404);
    expect(await post(globalId("Dataset", 99_999), {})).toBe(404);
    expect(await post(dataset_id, { version_id: "nothing" })).toBe(422);
    expect(await post(dataset_id, { version_id: dataset_id })).toBe(404);
    expect(await post(dataset_id, { version_id: version })).toBe(404);
    expect(await post(dataset_id, { splits: [" "] })).toBe(422);
    expect(await post(dataset_id, { splits: ["unknown"] })).toBe(404);
    const { status, text } = await ask(`POST /v1/datasets/${dataset_id}/experiments`, { repetitions: 0 });
    expect([status, JSON.parse(text).detail[0].type]).toEqual([422, "greater_than"]);
    expect((await ask(`GET /v1/datasets/${dataset_id}/experiments`)).data).toEqual([]);
    for (const method of ["GET", "DELETE"]) {
      expect((await ask(`${method} /v1/experiments/nothing`)).status).toBe(422);
      expect((await ask(`${method} /v1/experiments/${dataset_id}`)).status).toBe(404);
    }
  });
});
